import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ANY_VALUE,
  commonValues,
  isImpossible,
  type LabelValues,
  mayMeet,
  NO_VALUE,
  oneValue,
  permits,
  permittedValues,
} from "../../src/nodes-to-come/label-values.ts";
import { mayBePlaced } from "../../src/placement.ts";

const value = fc.integer({ min: 0, max: 6 }).map(String);
const someRequirement = fc.oneof(
  fc.record({ operator: fc.constantFrom("In", "NotIn"), values: fc.array(value, { maxLength: 4 }) }),
  fc.record({ operator: fc.constantFrom("Gt", "Lt"), values: fc.tuple(value) }),
  fc.record({ operator: fc.constantFrom("Exists") }),
);
const someValues: fc.Arbitrary<LabelValues> = fc.oneof(
  someRequirement.map(permittedValues),
  fc.tuple(someRequirement, someRequirement).map(([a, b]) => commonValues(permittedValues(a), permittedValues(b))),
);
/** Whole numbers, because `Gt` and `Lt` compare such. */
const ALL = Array.from({ length: 20 }, (_, number) => String(number));

describe("the values of a label", () => {
  test("are permitted by both if both permit them", () => {
    fc.assert(
      fc.property(someValues, someValues, fc.constantFrom(...ALL), (a, b, one) => {
        expect(permits(commonValues(a, b), one)).toBe(permits(a, one) && permits(b, one));
      }),
    );
  });

  test("are possible if there is one", () => {
    fc.assert(
      fc.property(someValues, (values) => {
        fc.pre(ALL.some((one) => permits(values, one)));
        expect(isImpossible(values)).toBe(false);
      }),
    );
    expect([ANY_VALUE, oneValue("a"), NO_VALUE].map(isImpossible)).toEqual([false, false, true]);
  });

  test("may meet what the scheduler of Kubernetes finds met on a node with one of them", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALL.slice(0, 8)), someRequirement, (one, requirement) => {
        const placement = {
          nodeSelector: {},
          nodeAffinity: [{ matchExpressions: [{ key: "size", ...requirement }] }],
          tolerations: [],
        };
        const isMet = mayBePlaced(placement, { name: "n", labels: { size: one }, taints: [] });
        expect(mayMeet(oneValue(one), requirement)).toBe(isMet);
      }),
    );
  });

  test("that are missing meet what a node without the label meets", () => {
    const met = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"].filter((operator) =>
      mayMeet(NO_VALUE, { operator, values: ["1"] }),
    );
    expect(met).toEqual(["NotIn", "DoesNotExist"]);
  });

  test("that are not known may meet everything except that the label is missing", () => {
    const met = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"].filter((operator) =>
      mayMeet(ANY_VALUE, { operator, values: ["1"] }),
    );
    expect(met).toEqual(["In", "NotIn", "Exists", "Gt", "Lt"]);
  });
});
