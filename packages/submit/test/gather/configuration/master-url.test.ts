import { describe, expect, test } from "vitest";
import { apiServerUrl, isKubernetesMaster } from "../../../src/gather/configuration/master-url.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

describe("the address of the API server", () => {
  test.each([
    ["k8s://https://host:6443", "https://host:6443"],
    ["k8s://http://127.0.0.1:8001", "http://127.0.0.1:8001"],
    ["k8s://host", "https://host"],
    ["k8s://host:6443", "https://host:6443"],
    ["k8s://[::1]:6443", "https://[::1]:6443"],
    ["k8s://https://gateway/clusters/one", "https://gateway/clusters/one"],
    ["k8s://HTTPS://host:6443", "HTTPS://host:6443"],
  ])("in %s is %s", (master, url) => {
    expect(apiServerUrl(master)).toBe(url);
  });

  test.each([
    ["k8s:/host", "must start with k8s://"],
    ["k8s", "must start with k8s://"],
    ["k8s://ftp://host", "ftp is no scheme for an API server"],
    ["k8s://", "is not a URL"],
    ["k8s://https://", "is not a URL"],
    ["k8s://ho st", "is not a URL"],
    ["k8s://https://host:99999", "is not a URL"],
  ])("in %s is none: %s", (master, message) => {
    const error = caughtFrom(() => apiServerUrl(master));
    expect(error.code).toBe("ARGUMENT_INVALID");
    expect(error.message).toContain(`--master ${master}: `);
    expect(error.message).toContain(message);
  });
});

test("a master is Kubernetes' by its first letters, as spark-submit decides", () => {
  expect(["k8s://x", "k8s"].every(isKubernetesMaster)).toBe(true);
  expect(["local[*]", "yarn", "spark://h:7077", "K8S://x", ""].some(isKubernetesMaster)).toBe(false);
});
