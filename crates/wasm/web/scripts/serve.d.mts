import type { Server } from "node:http";

/** Answers requests for the files of a folder, packed for browsers that take that. */
export function pageServer(options: {
  folder: string;
  isolated?: boolean;
  isPacked?: boolean;
}): Server;
/** The words of the command line. @throws Error in one line for words that mean nothing */
export function readOptions(words: string[]): {
  port: number;
  host: string;
  dir: string;
  isolation: boolean;
  check: boolean;
};
/** Packs all files of a folder for browsers, so that the first visit does not wait. */
export function packFolder(folder: string): Promise<void>;
