import { queueFaults, queuePath, type Queue } from "@kindling/admission";

/**
 * The tree of queues without those that have faults. The rest can be used for plans, or is empty. A queue that loses all its
 * children is removed as well: otherwise it would take applications that were meant for its children.
 *
 * @param wrong queues with a field that could not be read
 */
export function goodPart(root: Queue, wrong: ReadonlySet<Queue>): Queue {
  let good = without(root, "", (queue) => wrong.has(queue));
  for (;;) {
    const faulty = new Set(queueFaults(good).map(({ path }) => path));
    faulty.delete("");
    if (faulty.size === 0) return good;
    good = without(good, "", (_queue, path, isSecond) => faulty.has(path) && (isSecond || !hasTwo(good, path)));
  }
}

type IsWrong = (queue: Queue, path: string, isSecond: boolean) => boolean;

function without(queue: Queue, path: string, isWrong: IsWrong): Queue {
  const children = queue.children.flatMap((child, index) => {
    const childPath = queuePath(path, child.name);
    const isSecond = queue.children.slice(0, index).some(({ name }) => name === child.name);
    if (isWrong(child, childPath, isSecond)) return [];
    const left = without(child, childPath, isWrong);
    return child.children.length > 0 && left.children.length === 0 ? [] : [left];
  });
  return { ...queue, children };
}

/** If two queues have the same name, the first one is kept. */
function hasTwo(root: Queue, path: string): boolean {
  return pathsOf(root, "").filter((other) => other === path).length > 1;
}

function pathsOf({ children }: Queue, path: string): readonly string[] {
  return children.flatMap((child) => {
    const childPath = queuePath(path, child.name);
    return [childPath, ...pathsOf(child, childPath)];
  });
}
