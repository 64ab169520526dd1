import { expect, test } from "vitest";
import { hdfsLocation } from "../../src/fetch/hdfs/hdfs-location.ts";

const CONFIGURED = new Map([
  ["ns1", ["http://nn1:9870", "http://nn2:9870"]],
  ["nn:8020", ["https://httpfs:14000"]],
]);

test.each<[string, string[], string]>([
  ["hdfs://ns1/lib/a.jar", ["http://nn1:9870/", "http://nn2:9870/"], "/lib/a.jar"],
  ["hdfs://nn:8020/a b%20c+ü.jar", ["https://httpfs:14000/"], "/a b c+ü.jar"],
  ["webhdfs://nn1:9870/a", ["http://nn1:9870/"], "/a"],
  ["SWEBHDFS://nn1:9871/a", ["https://nn1:9871/"], "/a"],
  ["webhdfs://ns1/100%25", ["http://nn1:9870/", "http://nn2:9870/"], "/100%"],
])("%s is at %j", (uri, services, path) => {
  const location = hdfsLocation(uri, CONFIGURED);
  expect([location.services.map(({ href }) => href), location.path]).toEqual([services, path]);
});

test("the RPC address of a name node alone is an error that says what is missing", () => {
  expect(() => hdfsLocation("hdfs://other:8020/a", CONFIGURED)).toThrow(
    expect.objectContaining({
      reason: "config",
      hint: expect.stringContaining('webhdfs: { "other:8020": "http://namenode:9870" }') as string,
    }),
  );
});
