import type { Server } from "node:http";

/** Answers requests for the files of a folder, compressed if the browser accepts that. */
export function pageServer(options: {
  folder: string;
  isolated?: boolean;
  isPacked?: boolean;
}): Server;
/** Parses the command line. @throws Error with one line about an unknown option */
export function readOptions(words: string[]): {
  port: number;
  host: string;
  dir: string;
  isolation: boolean;
  check: boolean;
};
/** Compresses all files of a folder in advance, so that the first visit does not wait. */
export function packFolder(folder: string): Promise<void>;
