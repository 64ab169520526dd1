/** The content of a case's file: text with placeholders, bytes, or a link to another name. */
export type FileContent = string | { readonly base64: string } | { readonly link: string };

/** A pod that exists before the command runs. */
export interface ExistingPod {
  readonly name: string;
  readonly phase: string;
}

/**
 * One command line with everything that it reads. In its texts, `{W}` stands for the folder it runs in, `{PORT}` for the API
 * server's port, `{V}` for the Spark version.
 */
export interface Case {
  /** `SEED/NUMBER`: the same case for every Spark version. */
  readonly name: string;
  readonly features: readonly string[];
  /** `spark-submit` if texts and exit codes must be those of the real one. */
  readonly command: "submit" | "spark-submit";
  /** Flags, each with its value if that is a separate word. */
  readonly flags: readonly (readonly string[])[];
  readonly app: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, FileContent>>;
  readonly pods: readonly ExistingPod[];
  /** How the driver ends as soon as it exists, so that nobody waits long. */
  readonly driverEnds: "Succeeded" | "Failed";
}

/** Reads a case that `--out` wrote, or some members of a case written by hand: missing members are empty. */
export function readCase(json: string): Case {
  const read = JSON.parse(json) as Partial<Case> & { readonly smallest?: Partial<Case> };
  const empty = { features: [], flags: [], app: [], env: {}, files: {}, pods: [] };
  return { ...empty, name: "replayed", command: "submit", driverEnds: "Succeeded", ...(read.smallest ?? read) };
}
