/** What a machine or a cluster has to have for a command. */
export type Need =
  /** `kubectl` on the PATH. */
  | "kubectl"
  /** Helm 3 on the PATH. */
  | "helm"
  /** Java's `keytool`. */
  | "keytool"
  /** A Spark and a Java on this machine, for `kindling dev`. */
  | "spark"
  /** A staging server that pods reach. */
  | "staging";

/** A command that is run as the page has it, in the page's own shell. */
export interface Run {
  /** How it begins. A row may be that of several commands that begin alike. */
  readonly command: string;
  readonly needs?: readonly Need[];
  /** What stands in the place of what a reader puts something of their own for. */
  readonly with?: Readonly<Record<string, string>>;
  /** The exit code; 0 if unset. */
  readonly exit?: number;
  /** What it has to print, beside what the page shows. */
  readonly prints?: RegExp;
}

/** A command that another test or the gate runs. */
export interface RunElsewhere {
  readonly command: string;
  /** A file of the repository that runs it. */
  readonly runBy: string;
  /** What stands there. */
  readonly as: string;
}

/** How the commands of a page are run. */
export interface PageRun {
  /**
   * `cluster`: in a folder and a namespace of its own, with the accounts that Spark needs; `folder`: in a folder of its own,
   * without a cluster; `installed`: as `cluster`, with what an installation has for its users; `repository`: in the
   * repository.
   */
  readonly bench: "cluster" | "folder" | "installed" | "repository";
  /** Files in the folder that the commands run in, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Run before all others, and told of by no page. */
  readonly before?: readonly string[];
  /** Run when all others have ended, however that was. */
  readonly after?: readonly string[];
  readonly rows: readonly (Run | RunElsewhere)[];
}

export function isRun(row: Run | RunElsewhere): row is Run {
  return !("runBy" in row);
}
