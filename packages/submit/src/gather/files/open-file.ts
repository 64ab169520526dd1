import { closeSync, constants, fstatSync, openSync, statSync, type Stats } from "node:fs";

/**
 * Opens a file for reading without ever waiting for it, hands it to `read` and closes it. Devices and sockets
 * are refused; a pipe, whose writer may never come, too, but where the shell has handed it over (`<(…)`, `/dev/stdin`).
 *
 * @throws Error with the reason in a few words, such as "it is a device", which stands behind the name of the file; or
 * what the system says
 */
export function withOpenFile<T>(path: string, read: (file: number, status: Stats) => T): T {
  refuseUnfit(statSync(path), path);
  // Without O_NONBLOCK, to open a pipe would wait for whoever writes.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // Looked at once more: the path may lead elsewhere by now.
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
