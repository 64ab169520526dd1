import { queueFaults, queuePath, type Queue } from "@kindling/admission";

/**
 * What is left of a tree of queues without those that have faults: it can be planned with, or has no queues at all. A queue
 * all of whose children go goes as well: otherwise applications could be in it that were meant to be below it.
 *
 * @param wrong queues of which something could not be read
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

/** Of two queues of one name the first one is right. */
function hasTwo(root: Queue, path: string): boolean {
  return pathsOf(root, "").filter((other) => other === path).length > 1;
}

function pathsOf({ children }: Queue, path: string): readonly string[] {
  return children.flatMap((child) => {
    const childPath = queuePath(path, child.name);
    return [childPath, ...pathsOf(child, childPath)];
  });
}
