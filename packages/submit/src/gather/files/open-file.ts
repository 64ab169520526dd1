import { closeSync, constants, fstatSync, openSync, statSync, type Stats } from "node:fs";

/**
 * Opens a file for reading without waiting, passes it to `read` and closes it. Devices and sockets are refused. A pipe is
 * refused too, because its writer may never come, unless the shell has passed it (`<(…)`, `/dev/stdin`).
 *
 * @throws Error with the reason in a few words, such as "it is a device", which follows the name of the file; or the system's
 *   message
 */
export function withOpenFile<T>(path: string, read: (file: number, status: Stats) => T): T {
  refuseUnfit(statSync(path), path);
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // Checked again: the path may lead elsewhere by now.
    const status = fstatSync(file);
    refuseUnfit(status, path);
    return read(file, status);
  } finally {
    closeSync(file);
  }
}

function refuseUnfit(status: Stats, path: string): void {
  if (status.isSocket()) throw new Error("it is a socket");
  if (status.isCharacterDevice() || status.isBlockDevice()) throw new Error("it is a device");
  if (status.isFIFO() && !isHandedOver(path)) throw new Error("it is a pipe, and perhaps nobody writes to it");
}

/** Whether a path names one of this process's own open files. */
function isHandedOver(path: string): boolean {
  return /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/(?:self|\d+)\/fd\/\d+)$/.test(path);
}
