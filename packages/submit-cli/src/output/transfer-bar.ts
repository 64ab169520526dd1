import type { UploadProgress } from "@kindling/staging-client";
import type { Output } from "@kindling/command-line";

/** One line at the bottom of a terminal that is rewritten again and again. */
export interface TransferBar {
  show(progress: UploadProgress): void;
  /** Removes the line before permanent output. */
  clear(): void;
}

const WIDEST = 24;
const NARROWEST = 6;

/** A progress bar of an upload; without a terminal there is none. */
export function transferBar(output: Output): TransferBar {
  let shown = false;
  return {
    show(progress) {
      if (!output.interactive) return;
      output.rewrite(barText(progress, output.columns));
      shown = true;
    },
    clear() {
      if (shown) output.rewrite("");
      shown = false;
    },
  };
}

/** The text that fits on a line of this width: the bar becomes shorter, then the last remarks are dropped. */
export function barText(progress: UploadProgress, columns: number): string {
  const { bytes, bytesSent, bytesSkipped, files, filesHashed, filesSkipped, rate } = progress;
  const done = bytesSent + bytesSkipped;
  const share = bytes === 0 ? 1 : Math.min(1, done / bytes);
  const remarks = [
    ...(rate === 0 ? [] : [` ${byteText(rate)}/s`]),
    ...(filesSkipped === 0 ? [] : [`, ${filesSkipped} known to the server`]),
    ...(filesHashed < files ? [`, ${files - filesHashed} to look at`] : []),
  ];
  for (let kept = remarks.length; kept >= 0; kept--) {
    const before = "Staging [";
    const behind = `] ${byteText(done)} of ${byteText(bytes)}${remarks.slice(0, kept).join("")}`;
    const width = Math.min(WIDEST, columns - 1 - before.length - behind.length);
    if (width >= NARROWEST) return before + bar(share, width) + behind;
  }
  return `${Math.floor(share * 100)} % of ${byteText(bytes)}`;
}

function bar(share: number, width: number): string {
  const filled = Math.floor(share * width);
  return "#".repeat(filled) + "-".repeat(width - filled);
}

/** The result of an upload. */
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
