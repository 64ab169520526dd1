/** What Spark's driver says when it cannot start, in the words of its source. */
export type DriverWords =
  | { readonly kind: "class"; readonly name: string }
  | { readonly kind: "file"; readonly path: string; readonly isSkipped: boolean }
  | { readonly kind: "forbidden"; readonly message: string; readonly user: string; readonly what: string }
  /** Any 403, no matter whose words. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "quota"; readonly message: string }
  | { readonly kind: "executors"; readonly most: string }
  | { readonly kind: "worker" };

// SparkSubmit.runMain; DependencyUtils.resolveGlobPath; Files.copy of SparkSubmit from 4.0 on; python3, Rscript.
const CLASS = /Failed to load class ([\w$.]+?)\.?$/;
const FILE =
  /Local jar (\S+) does not exist, skipping|NoSuchFileException: (\S+\.(?:jar|py|zip|egg|whl|R))$|can't open file '([^']+)'|cannot open file '([^']+)': No such file/;
const FORBIDDEN =
  /(?<![\w.])(?:[\w.]+(?: "[^"]*")? is forbidden: )User "([^"]+)" cannot (\w+ resource "[^"]+") in API group "[^"]*"[^.]*/;
// The beginning of a 403 message of Kubernetes and of the scheduler's gateway, and the end that Spark's client adds. The
// lookahead checks only once that the line ends, and not at a carriage return: otherwise each of many such beginnings would
// check it again.
const REFUSED =
  /(?<![\w.])((?:[a-z][a-z.]*(?: "[^"]*")? is forbidden: |\bForbidden: )(?=.*$)\S.*?)(?:\.? Received status: .*)?$/;
const QUOTA = /is forbidden: (exceeded quota: [^\n]+?)(?:\. Received status.*)?$/;
// ExecutorPodsAllocator, before it ends the driver with exit code 11.
const EXECUTORS = /Max number of executor failures \((\d+)\) reached/;
// PythonRunner, as the reason why a job was given up; before that, Spark tries again.
const WORKER = /Job aborted due to stage failure: .*Python worker exited unexpectedly/;

/** The known complaints of Spark in a driver's log: each once, the last one first. */
export function driverWords(lines: readonly string[]): DriverWords[] {
  const found = new Map<DriverWords["kind"], DriverWords>();
  for (const line of lines.toReversed()) {
    for (const words of [wordsOf(line), refusalOf(line)]) {
      if (words !== undefined && !found.has(words.kind)) found.set(words.kind, words);
    }
  }
  return [...found.values()];
}

function refusalOf(line: string): DriverWords | undefined {
  // Thousands of lines are examined.
  if (!/[Ff]orbidden: /.test(line)) return undefined;
  const [, message] = REFUSED.exec(line) ?? [];
  return message === undefined ? undefined : { kind: "refused", message };
}

function wordsOf(line: string): DriverWords | undefined {
  const [, name] = CLASS.exec(line) ?? [];
  if (name !== undefined) return { kind: "class", name };
  const path = FILE.exec(line)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (path !== undefined) return { kind: "file", path, isSkipped: line.includes("skipping") };
  const [message, user, what] = FORBIDDEN.exec(line) ?? [];
  if (message !== undefined && user !== undefined && what !== undefined)
    return { kind: "forbidden", message, user, what };
  const [, quota] = QUOTA.exec(line) ?? [];
  if (quota !== undefined) return { kind: "quota", message: quota };
  const [, most] = EXECUTORS.exec(line) ?? [];
  if (most !== undefined) return { kind: "executors", most };
  return WORKER.test(line) ? { kind: "worker" } : undefined;
}
