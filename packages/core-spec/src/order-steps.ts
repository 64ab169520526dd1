import { KindlingError } from "./errors.ts";
import type { Step } from "./step.ts";

/**
 * Puts contributed steps after the built-in ones, in the given order, unless their `after` and `before` ask for another. A
 * contributed step can ask to run before a built-in one; built-in steps keep their own order.
 *
 * @throws KindlingError `STEP_ORDER` if these wishes are circular, `STEP_INVALID` for two steps with the same name
 */
export function orderSteps(builtIn: readonly Step[], contributed: readonly Step[]): Step[] {
  const steps = [...builtIn, ...contributed];
  const byName = new Map<string, Step>();
  for (const step of steps) {
    if (byName.has(step.name)) {
      throw new KindlingError("STEP_INVALID", `there are two steps called ${step.name}`, {
        hint: "give the contributed step another name; to leave a built-in one out, exclude it by its class",
      });
    }
    byName.set(step.name, step);
  }

  const predecessors = new Map<Step, Set<Step>>(steps.map((step) => [step, new Set()]));
  const mustPrecede = (first: Step | undefined, second: Step | undefined): void => {
    if (first !== undefined && second !== undefined) predecessors.get(second)?.add(first);
  };
  builtIn.forEach((step, index) => mustPrecede(builtIn[index - 1], step));
  for (const step of steps) {
    for (const name of step.after ?? []) mustPrecede(byName.get(name), step);
    for (const name of step.before ?? []) mustPrecede(step, byName.get(name));
  }

  const ordered = new Set<Step>();
  // Depth first, so that a contributed step moves to the front only if an earlier step waits for it.
  const place = (step: Step, waiting: readonly Step[]): void => {
    if (ordered.has(step)) return;
    if (waiting.includes(step)) throw circle(waiting.slice(waiting.indexOf(step)));
    for (const first of predecessors.get(step) ?? []) place(first, [...waiting, step]);
    ordered.add(step);
  };
  for (const step of steps) place(step, []);
  return [...ordered];
}

function circle(steps: readonly Step[]): KindlingError {
  const names = steps.map((step) => step.name).join(", ");
  return new KindlingError("STEP_ORDER", `no order satisfies what these steps ask for: ${names}`, {
    hint: "look at their `after` and `before`",
  });
}
