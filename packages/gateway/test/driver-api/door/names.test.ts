import fc from "fast-check";
import { expect, test } from "vitest";
import { isClaimById, isGenerated, isSetName, prefixesOfClaim } from "../../../src/driver-api/door/names.ts";

const NAME = fc.stringMatching(/^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/);
const NUMBER = fc.nat(100_000);

test("whatever a submission puts around a claim on demand, the prefix of its executor is found in the name", () => {
  fc.assert(
    fc.property(NAME, NUMBER, NUMBER, NAME, NAME, (prefix, id, volume, before, after) => {
      const onDemand = `${prefix}-exec-${id}-pvc-${volume}`;
      expect(prefixesOfClaim([], onDemand)).toEqual([prefix]);
      expect(prefixesOfClaim([`${before}-OnDemand.${after}`], `${before}-${onDemand}.${after}`)).toContain(prefix);
    }),
  );
});

test("a claim is called by an executor's id if all ids in its name are the same, and a fixed name is no such name", () => {
  fc.assert(
    fc.property(NAME, NUMBER, NUMBER, (name, id, other) => {
      const template = `${name}-SPARK_EXECUTOR_ID.SPARK_EXECUTOR_ID`;
      expect(isClaimById([template], `${name}-${id}.${id}`)).toBe(true);
      expect(isClaimById([template], `${name}-${id}.${other}`)).toBe(id === other);
      expect(isClaimById([name], name)).toBe(false);
    }),
  );
});

test("names of sets are those of the application and of a profile", () => {
  fc.assert(
    fc.property(NAME, NUMBER, NAME, (application, profile, other) => {
      expect(isSetName("statefulsets", `spark-s-${application}-${profile}`, application)).toBe(true);
      expect(isSetName("deployments", `spark-s-${application}-${profile}`, application)).toBe(false);
      const isSame = application === other;
      expect(isSetName("deployments", `spark-d-${other}-${profile}`, application)).toBe(isSame);
    }),
  );
});

test.each([
  ["spark-pi-7469dd71c499fafb", true],
  ["yxi75-notebook-78045b99375b6dae", true],
  ["x469dd71c499fafb", true],
  ["etl", false],
  ["etl-20261127020500", false],
  ["etl7469dd71c499fafb", false],
] as const)("Spark makes %s up: %s", (prefix, is) => expect(isGenerated(prefix)).toBe(is));
