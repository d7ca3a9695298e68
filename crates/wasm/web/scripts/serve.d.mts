import type { Server } from "node:http";

/** Answers requests for the files of a folder. */
export function pageServer(options: { folder: string; isolated?: boolean }): Server;
/** Packs all files of a folder for browsers, so that the first visit does not wait. */
export function packFolder(folder: string): Promise<void>;
