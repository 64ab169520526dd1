import type { Case, ExistingPod, FileContent } from "./case.ts";
import { Dice } from "./dice.ts";
import { URI_FILES, URIS } from "./uris.ts";
import { VALUES, type ValueKind } from "./values.ts";

/** An unfinished case; its features add to it. */
export class Draft {
  readonly dice: Dice;
  readonly features: string[] = [];
  readonly flags: string[][] = [];
  readonly env: Record<string, string> = {};
  readonly files: Record<string, FileContent> = {};
  readonly pods: ExistingPod[] = [];
  command: Case["command"] = "submit";
  /** Used instead of the application that is generated otherwise. */
  app: readonly string[] | undefined;
  driverEnds: Case["driverEnds"] = "Succeeded";
  waits = false;
  isClient = false;
  uploads = false;

  constructor(seed: string) {
    this.dice = new Dice(seed);
  }

  value(kind: ValueKind): string {
    if (kind === "uris") return Array.from({ length: this.dice.pick([1, 1, 1, 2, 3]) }, () => this.uri()).join(",");
    const { usual, odd, odds } = VALUES[kind];
    return this.dice.mostly(usual, odd, odds);
  }

  uri(): string {
    const uri = this.dice.mostly(URIS.usual, URIS.odd, 0.15);
    if (isLocal(uri)) this.needFiles();
    return uri;
  }

  /** Provides the files that URIs name, and usually also an upload place. */
  needFiles(): void {
    Object.assign(this.files, URI_FILES);
    this.uploads ||= this.dice.chance(0.95);
  }

  flag(name: string, value: string): void {
    this.flags.push(this.dice.chance(0.3) && value !== "" ? [`${name}=${value}`] : [name, value]);
  }

  /** Adds a `--conf`, in one of the possible forms. */
  conf(key: string, value: string): void {
    const { dice } = this;
    if (dice.chance(0.02)) this.flags.push(["-c", `${key}=${value}`]);
    else if (dice.chance(0.12) && value !== "") this.flags.push([`--conf=${key}=${value}`]);
    else if (dice.chance(0.015)) this.flags.push(["--conf", dice.pick(oddlyQuoted(key, value))]);
    else this.flags.push(["--conf", `${key}=${value}`]);
  }

  text(): string {
    return this.value("text");
  }
}

function isLocal(uri: string): boolean {
  return uri.includes("{W}") || /^(?:rel|f\/|\.\/)/.test(uri);
}

/** Quoted as people do: with blanks, quotes that no shell has removed, and typographic quotes. */
function oddlyQuoted(key: string, value: string): string[] {
  return [
    ` ${key} = ${value} `,
    `${key}="${value}"`,
    `'${key}=${value}'`,
    `"${key}"=${value}`,
    `${key}=\u201c${value}\u201d`,
    `${key} ${value}`,
    key,
    `${key}==${value}`,
    `${key}=${value}\n`,
  ];
}
