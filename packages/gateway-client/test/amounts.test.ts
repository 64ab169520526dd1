import { expect, test } from "vitest";
import { amountsText, amountText } from "../src/index.ts";

const GIBIBYTE = 1024 ** 3;

test.each([
  ["cpu", 1_500, "1.5"],
  ["memory", 12.34 * GIBIBYTE, "12.3Gi"],
  ["ephemeral-storage", 1023, "1023"],
  ["hugepages-2Mi", 64 * 1024 ** 2, "64Mi"],
  ["nvidia.com/gpu", 3, "3"],
])("an amount of %s reads as kubectl writes it", (resource, amount, text) => {
  expect(amountText(resource, amount)).toBe(text);
});

test("amounts begin with processors and memory, and leave out pods and what there is none of", () => {
  const amounts = { "nvidia.com/gpu": 1, pods: 7, memory: 16 * GIBIBYTE, cpu: 4_000, "ephemeral-storage": 0 };
  expect(amountsText(amounts)).toBe("4 cpu, 16Gi memory, 1 nvidia.com/gpu");
  expect(amountsText({ pods: 7 })).toBe("");
});
