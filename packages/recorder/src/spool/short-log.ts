import type { LogPosition } from "@kindling/kube";
import type { AppendedFile, LinePlace } from "./appended-file.ts";
import type { KeptLog, StorePart, UnstoredLog } from "./kept-log.ts";
import { isPosition } from "./log-state.ts";

export interface ShortLogOptions {
  readonly name: string;
  /** The file with the short logs of the run. */
  readonly file: AppendedFile;
  /** Called when the log is complete and can be stored. */
  readonly onPart: () => void;
}

/** A line of the file: something that has happened to one of the logs. */
export interface ShortLogLine {
  readonly log: string;
  /** Lines that were added. */
  readonly text?: string;
  readonly position?: LogPosition;
  /** Nothing more will be added. */
  readonly isComplete?: true;
  /** It is in the archive. */
  readonly isStored?: true;
}

/** A log that is not longer than some pages. Those of a run share a file: a log of its own folder would cost many times as much. */
export class ShortLog implements KeptLog {
  readonly #options: ShortLogOptions;
  readonly #places: LinePlace[] = [];
  #bytes = 0;
  #position: LogPosition | undefined;
  #isComplete = false;
  #isStored = false;

  constructor(options: ShortLogOptions) {
    this.#options = options;
  }

  get position(): LogPosition | undefined {
    return this.#position;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get hasParts(): boolean {
    return this.#isComplete && !this.#isStored;
  }

  /** Takes a line of the file, which an earlier process has written, or this one. */
  take({ text, position, isComplete, isStored }: ShortLogLine, place: LinePlace): void {
    if (text !== undefined) {
      this.#places.push(place);
      this.#bytes += Buffer.byteLength(text);
      // It was complete, and goes on after all: then it is stored once more.
      this.#isComplete = this.#isStored = false;
    }
    if (position !== undefined) this.#position = position;
    this.#isComplete ||= isComplete === true;
    this.#isStored ||= isStored === true;
  }

  async append(text: string, position: LogPosition | undefined): Promise<void> {
    await this.#add({ text, ...(position && { position }) });
  }

  async end(text: string, position: LogPosition | undefined): Promise<void> {
    if (text === "" && (this.#isComplete || this.#bytes === 0)) return;
    await this.#add({ ...(text !== "" && { text }), ...(position && { position }), isComplete: true });
    this.#options.onPart();
  }

  /** Its file is shared with other logs. */
  async completePart(): Promise<void> {
    await Promise.resolve();
  }

  async storeParts(store: StorePart): Promise<void> {
    if (!this.hasParts) return;
    await store(1, { text: await this.#whole() });
    await this.#add({ isStored: true });
  }

  async tail(count: number): Promise<readonly string[]> {
    const lines = (await this.text()).split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines.slice(-count);
  }

  async unstored(): Promise<UnstoredLog> {
    const whole = this.#isStored ? [] : [await this.#whole()];
    async function* text(): AsyncGenerator<Buffer, void> {
      yield* await Promise.resolve(whole);
    }
    return { stored: this.#isStored ? 1 : 0, text, close: () => undefined };
  }

  /** All of it. */
  async text(): Promise<string> {
    const texts: string[] = [];
    for (const place of this.#places) texts.push(parseShortLogLine(await this.#options.file.read(place))?.text ?? "");
    return texts.join("");
  }

  async #whole(): Promise<Buffer> {
    return Buffer.from(await this.text());
  }

  async #add(line: Omit<ShortLogLine, "log">): Promise<void> {
    const { name: log, file } = this.#options;
    this.take({ log, ...line }, await file.append(JSON.stringify({ log, ...line })));
  }
}

/** Reads a line that an earlier process has written; `undefined` if it is none. */
export function parseShortLogLine(line: string): ShortLogLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { log, text, position, isComplete, isStored } = value as Readonly<Record<string, unknown>>;
  if (typeof log !== "string") return undefined;
  return {
    log,
    ...(typeof text === "string" && { text }),
    ...(isPosition(position) && { position }),
    ...(isComplete === true && { isComplete }),
    ...(isStored === true && { isStored }),
  };
}
