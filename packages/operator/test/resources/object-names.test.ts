import { isDnsLabel } from "@kindling/core-spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  driverServiceName,
  schedulerPluginsPodGroupName,
  uiIngressName,
  uiServiceName,
} from "../../src/resources/object-names.ts";

const long = "a-very-long-name-of-an-application-that-nobody-would-write";

test("a name that is too long ends in a part of its MD5 sum", () => {
  expect(uiServiceName("pi")).toBe("pi-ui-svc");
  expect(uiServiceName(`${long}-1`)).toBe("a-very-long-name-of-an-application-that-nobody--bced6469-ui-svc");
});

test("every name of an application that is a label is one too", () => {
  const names = fc.stringMatching(/^[a-z][a-z0-9]{0,61}[a-z0-9]$/);
  fc.assert(
    fc.property(names, (name) => {
      const all = [uiServiceName, uiIngressName, schedulerPluginsPodGroupName].map((nameOf) => nameOf(name));
      expect([...all, driverServiceName(name, 65_535)].filter((made) => !isDnsLabel(made))).toEqual([]);
    }),
  );
});
