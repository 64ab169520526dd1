/** What a file of a case holds: text in which placeholders stand, bytes, or a link to another name. */
export type FileContent = string | { readonly base64: string } | { readonly link: string };

/** A pod that is there before the command runs. */
export interface ExistingPod {
  readonly name: string;
  readonly phase: string;
}

/**
 * One command line with all that it reads. In its texts, `{W}` stands for the folder it runs in, `{PORT}` for the API
 * server's port, `{V}` for the Spark version.
 */
export interface Case {
  /** `SEED/NUMBER`: the same case for every Spark version. */
  readonly name: string;
  readonly features: readonly string[];
  /** `spark-submit` where texts and exit codes are to be the real one's own. */
  readonly command: "submit" | "spark-submit";
  /** Flags, each with its value where that is a word of its own. */
  readonly flags: readonly (readonly string[])[];
  readonly app: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, FileContent>>;
  readonly pods: readonly ExistingPod[];
  /** How the driver ends, as soon as it is there: nobody waits long. */
  readonly driverEnds: "Succeeded" | "Failed";
}

/** Reads a case that `--out` wrote, or the members of one that somebody wrote by hand: what is not there is empty. */
export function readCase(json: string): Case {
  const read = JSON.parse(json) as Partial<Case> & { readonly smallest?: Partial<Case> };
  const empty = { features: [], flags: [], app: [], env: {}, files: {}, pods: [] };
  return { ...empty, name: "replayed", command: "submit", driverEnds: "Succeeded", ...(read.smallest ?? read) };
}
