import type { Case, FileContent } from "../cases/case.ts";
import { smallerYaml } from "./smaller-yaml.ts";

/** The maximum number of smaller cases that are tried. */
const TRIES = 120;

/** An application without faults of its own. */
const PLAIN_APPLICATION = "local:///opt/m.py";

type Test<T> = (smaller: T) => Promise<boolean>;

/**
 * The smallest case that still shows the problem: flags, arguments, variables, files and parts of files are removed as long
 * as it still does.
 */
export async function shrink(kase: Case, isOfInterest: Test<Case>): Promise<Case> {
  let tries = TRIES;
  let smallest = kase;
  const takes = async (smaller: Case): Promise<boolean> => {
    if (tries-- <= 0 || !(await isOfInterest(smaller))) return false;
    smallest = smaller;
    return true;
  };
  if (kase.app.length > 0) await takes({ ...smallest, app: [PLAIN_APPLICATION, ...kase.app.slice(1)] });
  // Without these flags, a case would be about client mode, or would not use Kubernetes.
  const kept = NEEDED.flatMap((name) => kase.flags.filter((flag) => flag[0] === name).slice(0, 1));
  const flags = kase.flags.filter((flag) => !kept.includes(flag));
  await shortest(flags, (rest) => takes({ ...smallest, flags: [...kept, ...rest] }));
  await shortest(Object.entries(kase.files), (files) => takes({ ...smallest, files: Object.fromEntries(files) }));
  await shortest(kase.app.slice(1), (args) => takes({ ...smallest, app: [...smallest.app.slice(0, 1), ...args] }));
  await shortest(Object.entries(kase.env), (env) => takes({ ...smallest, env: Object.fromEntries(env) }));
  await shortest(kase.pods, (pods) => takes({ ...smallest, pods }));
  for (const [name, content] of Object.entries(smallest.files))
    await smallestContent(name, content, (smaller) =>
      takes({ ...smallest, files: { ...smallest.files, [name]: smaller } }),
    );
  return smallest;
}

const NEEDED = ["--master", "--deploy-mode"];

/** Shortens a list: first by halves, at last by single members. */
async function shortest<T>(list: readonly T[], takes: Test<readonly T[]>): Promise<void> {
  let rest = list;
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < rest.length;) {
      const without = [...rest.slice(0, start), ...rest.slice(start + size)];
      if (await takes(without)) rest = without;
      else start += size;
    }
  }
}

async function smallestContent(name: string, content: FileContent, takes: Test<FileContent>): Promise<void> {
  if (typeof content !== "string") return;
  let text = content;
  const isSmaller = async (smaller: string): Promise<boolean> => {
    const isTaken = await takes(smaller);
    if (isTaken) text = smaller;
    return isTaken;
  };
  if (name.endsWith(".yaml")) while (await firstOf(smallerYaml(text), isSmaller));
  await shortest(text.split(/(?<=\r\n|\r(?!\n)|\n)/), (lines) => isSmaller(lines.join("")));
}

/** Whether one of them is accepted; those after it are not tried. */
async function firstOf<T>(candidates: Iterable<T>, takes: Test<T>): Promise<boolean> {
  for (const candidate of candidates) if (await takes(candidate)) return true;
  return false;
}
