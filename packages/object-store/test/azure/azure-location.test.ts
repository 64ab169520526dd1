import { expect, test } from "vitest";
import { azureLocation } from "../../src/azure/azure-location.ts";

test.each([
  ["abfss://jobs@acct.dfs.core.windows.net/a/b", "jobs", "https://acct.blob.core.windows.net/", "a/b"],
  ["abfss://jobs@acct.dfs.core.windows.net", "jobs", "https://acct.blob.core.windows.net/", ""],
  ["abfs://jobs@acct.dfs.core.windows.net/", "jobs", "https://acct.blob.core.windows.net/", ""],
  ["wasbs://jobs@acct.blob.core.windows.net//a", "jobs", "https://acct.blob.core.windows.net/", "a"],
  ["abfss://$web@acct.dfs.core.usgovcloudapi.net/x", "$web", "https://acct.blob.core.usgovcloudapi.net/", "x"],
  ["abfss://jobs@acct.dfs.core.chinacloudapi.cn/x", "jobs", "https://acct.blob.core.chinacloudapi.cn/", "x"],
])("%s names the container %s at %s", (uri, container, endpoint, path) => {
  const location = azureLocation(uri);
  expect(location).toMatchObject({ account: "acct", container, path });
  expect(location.endpoint.href).toBe(endpoint);
  expect(location.dataLake?.href).toBe(endpoint.replace(".blob.", ".dfs."));
});

test("the endpoint can be another one, which then is the only one", () => {
  const location = azureLocation("abfss://jobs@acct.dfs.core.windows.net/a", "http://127.0.0.1:10000/acct/");
  expect([location.endpoint.href, location.dataLake]).toEqual(["http://127.0.0.1:10000/acct", undefined]);
  expect(() => azureLocation("abfss://jobs@acct.dfs.core.windows.net/a", "127.0.0.1")).toThrow(/no http or https URL/);
});

test.each([
  "abfss://acct.dfs.core.windows.net/a",
  "abfss://jobs@acct/a",
  "https://acct.blob.core.windows.net/jobs",
  "",
])("%j names none", (uri) => {
  expect(() => azureLocation(uri)).toThrow(/names no container$/);
});
