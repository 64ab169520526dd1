import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOwnHost } from "../../../src/console/page/own-hosts.ts";

describe("a request was meant for the page", () => {
  test.each([
    ...["10.0.0.7:8081", "[fd00::7]:8081", "localhost:8081", "kindling-gateway", "kindling-gateway.kindling.svc."],
    ...["kindling-gateway.kindling.svc.cluster.local:8081", "LOCALHOST", "page.localhost"],
  ])("that calls it %s", (host) => {
    expect(isOwnHost(host, [])).toBe(true);
  });

  test("that calls it by no name", () => {
    expect(isOwnHost(undefined, [])).toBe(true);
  });

  test.each([
    ["queues.example.com", "queues.example.com"],
    ["*.example.com", "queues.example.com"],
    ["*", "anything.example.net"],
  ])("if %s is among its names, that calls it %s", (name, host) => {
    expect(isOwnHost(host, [name])).toBe(true);
    expect(isOwnHost(host, [])).toBe(false);
  });

  test("by no name of another's, whatever it has in it", () => {
    const label = fc.constantFrom("svc", "localhost", "cluster", "local", "10-0-0-7", "kindling-gateway", "127");
    fc.assert(
      fc.property(fc.array(label, { maxLength: 5 }), fc.constantFrom("", ":8081", "."), (labels, end) => {
        expect(isOwnHost([...labels, "example.net"].join(".") + end, ["queues.example.net"])).toBe(false);
      }),
    );
  });
});
