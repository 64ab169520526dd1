/** What a command needs on the machine or in the cluster. */
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
  | "staging"
  /** Pods in containers on a real node, with `kubectl exec` and `kubectl port-forward`. */
  | "kubelet"
  /** Namespaces that enforce no level of pod security: the command tells what it found about that. */
  | "no level";

/** A command that is run as it is in the page, in the page's own shell. */
export interface Run {
  /** How it begins. A row may be for several commands with the same beginning. */
  readonly command: string;
  readonly needs?: readonly Need[];
  /** Texts that replace the parts that a reader fills in. */
  readonly with?: Readonly<Record<string, string>>;
  /** The exit code. Default: 0. */
  readonly exit?: number;
  /** What it must print, besides the output in the page. */
  readonly prints?: RegExp;
}

/** A command that another test or the gate runs. */
export interface RunElsewhere {
  readonly command: string;
  /** A file of the repository that runs it. */
  readonly runBy: string;
  /** The text in that file. */
  readonly as: string;
}

/** How the commands of a page are run. */
export interface PageRun {
  /**
   * `cluster`: in its own folder and namespace, with the accounts that Spark needs; `folder`: in its own folder, without a
   * cluster; `installed`: like `cluster`, with an installation for its users; `repository`: in the repository.
   */
  readonly bench: "cluster" | "folder" | "installed" | "repository";
  /** Files in the folder that the commands run in, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Run before all others; no page contains them. */
  readonly before?: readonly string[];
  /** Run after all others, also if one of them failed. */
  readonly after?: readonly string[];
  readonly rows: readonly (Run | RunElsewhere)[];
}

export function isRun(row: Run | RunElsewhere): row is Run {
  return !("runBy" in row);
}
