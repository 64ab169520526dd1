import type { UploadProgress } from "@kindling/staging-client";
import type { Output } from "@kindling/command-line";

/** One line at the bottom of a terminal that is written again and again. */
export interface TransferBar {
  show(progress: UploadProgress): void;
  /** Takes the line away, for something that stays. */
  clear(): void;
}

const WIDTH = 24;

/** A bar of bytes on their way; without a terminal there is none. */
export function transferBar(output: Output): TransferBar {
  let shown = false;
  return {
    show(progress) {
      if (!output.interactive) return;
      output.rewrite(barText(progress));
      shown = true;
    },
    clear() {
      if (shown) output.rewrite("");
      shown = false;
    },
  };
}

function barText({ bytes, bytesSent, bytesSkipped, files, filesHashed, filesSkipped, rate }: UploadProgress): string {
  const done = bytes === 0 ? 1 : Math.min(1, (bytesSent + bytesSkipped) / bytes);
  const filled = Math.floor(done * WIDTH);
  const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
  const hashing = filesHashed < files ? `, ${files - filesHashed} to look at` : "";
  const known = filesSkipped === 0 ? "" : `, ${filesSkipped} known to the server`;
  const speed = rate === 0 ? "" : ` ${byteText(rate)}/s`;
  return `Staging [${bar}] ${byteText(bytesSent + bytesSkipped)} of ${byteText(bytes)}${speed}${known}${hashing}`;
}

/** What an upload came to. */
export function stagedText({ files, bytes, filesSent, bytesSent }: UploadProgress): string {
  const all = `${files} ${files === 1 ? "file" : "files"} (${byteText(bytes)})`;
  if (filesSent === files) return `Staged ${all}`;
  return `Staged ${all}: sent ${filesSent} (${byteText(bytesSent)}), the server had the others`;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `12.3 MiB` */
export function byteText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ""}`;
}
