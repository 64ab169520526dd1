// @ts-check
import { expect, test } from "vitest";
import { comparesVersions } from "./version-comparisons.mjs";

test.each([
  'if (isAtLeast(sparkVersion, "4.1")) env.push(path);',
  '{ step: networkPolicy, since: "4.2" },',
  "const release = `4.0`;",
  'default: [{ until: "4.0", text: "5" }, { text: "20" }],',
  'if (conf.version.text.startsWith("4.")) return [];',
  'if (sparkVersion >= "4") return [];',
  'if (submission.sparkVersion === "4.3.0") return [];',
  "return Number.parseInt(sparkVersion, 10) >= 4 ? 17 : 8;",
  "if (parseSparkVersion(text)?.major === 4) return [];",
])("a comparison of versions is found: %s", (line) => expect(comparesVersions(line)).toBe(true));

test.each([
  'if (conf.version.has("executor-library-path")) env.push(path);',
  '{ step: networkPolicy, from: "network-policy" },',
  'since: "4.1.0",',
  "[SPARK_VERSION_LABEL]: sparkVersion,",
  "`apache/spark:${sparkVersion}`",
  'if (parseSparkVersion(text) === undefined) throw new Error("no version");',
  ' * ReadWriteOnce up to "4.0"',
])("anything else is not: %s", (line) => expect(comparesVersions(line)).toBe(false));
