import { describe, expect, test } from "vitest";
import {
  emptyDriverSpec,
  KindlingError,
  orderSteps,
  runDriverSteps,
  type KubernetesDriverSpec,
  type Step,
} from "../src/index.ts";
import { sampleSubmission } from "../src/testing/index.ts";

const submission = sampleSubmission();

function label(name: string, value: string): Step {
  return {
    name: `label-${name}`,
    configureDriver: (spec) => ({
      ...spec,
      driverPod: {
        ...spec.driverPod,
        metadata: { ...spec.driverPod.metadata, labels: { ...spec.driverPod.metadata?.labels, [name]: value } },
      },
    }),
  };
}

function run(...steps: Step[]): ReturnType<typeof runDriverSteps> {
  return runDriverSteps(emptyDriverSpec({ "spark.a": "1" }), submission, steps);
}

describe("runDriverSteps", () => {
  test("folds steps in order and remembers who set what", () => {
    const { spec, provenance } = run(label("a", "1"), label("b", "2"));
    expect(spec.driverPod.metadata?.labels).toEqual({ a: "1", b: "2" });
    expect(provenance.get("driverPod.metadata.labels.a")).toBe("label-a");
    expect(provenance.get("driverPod.metadata.labels.b")).toBe("label-b");
  });

  test("refuses a change of what another step set, and names both and the field", () => {
    const overriding: Step = { ...label("a", "2"), name: "other" };
    expect(() => run(label("a", "1"), overriding)).toThrow(
      expect.objectContaining({
        code: "STEP_NOT_ADDITIVE",
        message: "step other changes driverPod.metadata.labels.a, which step label-a set",
      }),
    );
  });

  test("refuses that something is dropped, also from the configuration", () => {
    const dropping: Step = { name: "dropping", configureDriver: (spec) => ({ ...spec, driverSparkConf: {} }) };
    expect(() => run(dropping)).toThrow("step dropping drops driverSparkConf[spark.a], which the configuration set");
  });

  test("lets a step override what it declares", () => {
    const overriding: Step = { ...label("a", "2"), name: "other", overrides: ["driverPod.metadata.labels"] };
    expect(run(label("a", "1"), overriding).spec.driverPod.metadata?.labels).toEqual({ a: "2" });
  });

  test("says which step failed or returned no spec", () => {
    const failing: Step = {
      name: "failing",
      configureDriver: () => {
        throw new Error("no luck");
      },
    };
    expect(() => run(failing)).toThrow(
      expect.objectContaining({ code: "STEP_FAILED", message: "step failing failed: no luck" }),
    );
    const broken: Step = {
      name: "broken",
      configureDriver: (spec) => ({ ...spec, driverPod: null }) as unknown as KubernetesDriverSpec,
    };
    expect(() => run(broken)).toThrow(expect.objectContaining({ code: "STEP_INVALID" }));
    const none: Step = { name: "none", configureDriver: () => null as unknown as KubernetesDriverSpec };
    expect(() => run(none)).toThrow(
      expect.objectContaining({ code: "STEP_INVALID", message: "step none returned no spec" }),
    );
  });

  test("refuses resources that nobody could create", () => {
    const nameless: Step = {
      name: "nameless",
      configureDriver: (spec) =>
        ({
          ...spec,
          otherKubernetesResources: [{ apiVersion: "v1", kind: "Secret" }],
        }) as unknown as KubernetesDriverSpec,
    };
    expect(() => run(nameless)).toThrow(
      "step nameless returned a resource without apiVersion, kind or name in otherKubernetesResources",
    );
  });

  test("passes on errors that were made for the user", () => {
    const refusing: Step = {
      name: "refusing",
      configureDriver: () => {
        throw new KindlingError("CONF_INVALID", "spark.x: no");
      },
    };
    expect(() => run(refusing)).toThrow(expect.objectContaining({ code: "CONF_INVALID", message: "spark.x: no" }));
  });
});

describe("orderSteps", () => {
  const step = (name: string, wishes: Partial<Step> = {}): Step => ({ ...label(name, "1"), name, ...wishes });
  const names = (steps: readonly Step[]): string[] => steps.map(({ name }) => name);

  test("puts contributed steps behind the built-in ones, in the order given", () => {
    expect(names(orderSteps([step("a"), step("b")], [step("z"), step("y")]))).toEqual(["a", "b", "z", "y"]);
  });

  test("heeds what contributed steps ask for", () => {
    expect(
      names(orderSteps([step("a"), step("b")], [step("z", { after: ["y"] }), step("y", { before: ["b"] })])),
    ).toEqual(["a", "y", "b", "z"]);
  });

  test("leaves those behind that nobody waits for, also where others must come early", () => {
    const contributed = [step("x"), step("y", { after: ["x"] }), step("z", { after: ["a"], before: ["b"] })];
    expect(names(orderSteps([step("a"), step("b"), step("c")], contributed))).toEqual(["a", "z", "b", "c", "x", "y"]);
  });

  test("refuses wishes that go in a circle, and two steps of one name", () => {
    expect(() => orderSteps([], [step("a", { after: ["b"] }), step("b", { after: ["a"] })])).toThrow(
      expect.objectContaining({ code: "STEP_ORDER" }),
    );
    expect(() => orderSteps([step("a")], [step("a")])).toThrow("there are two steps called a");
  });
});
