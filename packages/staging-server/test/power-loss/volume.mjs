// Volumes of a file system in a file: on a recording disk, or on a plain file.
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DISK = fileURLToPath(new URL("recording-disk.mjs", import.meta.url));

// By default, ext4 flushes a file that is renamed over another one, for programs that forget to (ext4(5), auto_da_alloc).
// Other file systems do not.
const KEEPS_NO_PROMISES = "noauto_da_alloc";

// Functions that unmount all mounted volumes, also if a signal ends this process.
const unmounts = new Set();
process.on("exit", () => {
  for (const unmount of [...unmounts].toReversed()) unmount();
});

function run(command, ...args) {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

function quietly(command, ...args) {
  try {
    run(command, ...args);
  } catch {
    // It is unmounted already, or was never mounted.
  }
}

/** Why volumes cannot be made here; `undefined` if they can. */
export function missingForVolumes() {
  if (process.getuid?.() !== 0) return "it needs root, to mount volumes";
  for (const command of ["mount", "umount", "losetup", "mkfs.ext4"]) {
    try {
      run("which", command);
    } catch {
      return `${command} is not installed`;
    }
  }
  try {
    run("test", "-c", "/dev/fuse");
    run("test", "-c", "/dev/loop-control");
  } catch {
    return "there is no /dev/fuse or no /dev/loop-control";
  }
  return undefined;
}

/** Mounts the file system of an image. */
export function mountImage(image, folder, options = "defaults") {
  mkdirSync(folder, { recursive: true });
  const device = run("losetup", "-f", "--show", image);
  try {
    run("mount", "-t", "ext4", "-o", options, device, folder);
  } catch (error) {
    quietly("losetup", "-d", device);
    throw error;
  }
  function unmount() {
    unmounts.delete(unmount);
    try {
      run("umount", folder);
    } catch {
      quietly("umount", "-l", folder);
    }
    quietly("losetup", "-d", device);
  }
  unmounts.add(unmount);
  return { folder, unmount };
}

/** A new file system on a recording disk, mounted. */
export async function recordingVolume(work, bytes) {
  const file = join(work, "disk");
  const log = join(work, "disk.log");
  const disk = fork(DISK, [file, String(bytes), log], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const gone = once(disk, "exit");
  const unmount = () => {
    unmounts.delete(unmount);
    quietly("umount", "-l", file);
  };
  unmounts.add(unmount);
  await Promise.race([
    once(disk, "message"),
    gone.then(() => {
      throw new Error("the recording disk did not start");
    }),
  ]);
  // The disk is a separate process, so that this process may wait for its own requests to it.
  run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", file);
  const volume = mountImage(file, join(work, "volume"), KEEPS_NO_PROMISES);
  return {
    folder: volume.folder,
    log,
    /** From here on, nothing more is recorded. */
    async close() {
      volume.unmount();
      unmount();
      await gone;
    },
  };
}
