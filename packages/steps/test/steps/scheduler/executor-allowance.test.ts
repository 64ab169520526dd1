import { describe, expect, test } from "vitest";
import { gatewayDriver, type DriverOptions } from "./gateway-driver.ts";

const ANNOTATION = "scheduler.kindling/executor-allowance";

function allowance(options: DriverOptions): unknown {
  const text = gatewayDriver(options).driverPod.metadata?.annotations?.[ANNOTATION];
  return text === undefined ? undefined : JSON.parse(text);
}

function secret(name: string): object {
  return { name, secret: { secretName: name } };
}

describe("what the gateway is told that executors may have beside what the driver has", () => {
  test("is nothing, where the submission asks for nothing of the kind", () => {
    expect(allowance({})).toBeUndefined();
    expect(allowance({ conf: { "spark.kubernetes.driver.secrets.mine": "/etc/mine" } })).toBeUndefined();
  });

  test("are the Secrets and the nodes of the configuration", () => {
    const conf = {
      "spark.kubernetes.executor.secrets.keys": "/etc/keys",
      "spark.kubernetes.executor.secretKeyRef.PASSWORD": "database:password",
      "spark.kubernetes.node.selector.zone": "a",
      "spark.kubernetes.executor.node.selector.disk": "ssd",
    };
    expect(allowance({ conf })).toEqual({
      nodeSelector: { zone: "a", disk: "ssd" },
      volumes: [secret("database"), secret("keys")],
    });
  });

  test("is what a template has", () => {
    const tolerations = [{ key: "dedicated", operator: "Exists" }];
    const template = {
      spec: {
        ...{ nodeName: "node-1", priorityClassName: "low", nodeSelector: { disk: "hdd" }, tolerations },
        volumes: [
          { name: "a", secret: { secretName: "a" } },
          { name: "b", projected: { sources: [{ secret: { name: "b" } }, { configMap: { name: "x" } }] } },
          { name: "c", emptyDir: {} },
        ],
        initContainers: [{ name: "i", envFrom: [{ secretRef: { name: "d" } }] }],
        containers: [
          { name: "spark", env: [{ name: "E", valueFrom: { secretKeyRef: { name: "e", key: "k" } } }] },
          { name: "proxy", envFrom: [{ secretRef: { name: "a" } }] },
        ],
      },
    };
    const options = {
      conf: { "spark.kubernetes.executor.podTemplateFile": "/etc/executor.yaml" },
      files: { "/etc/executor.yaml": JSON.stringify(template) },
    };
    expect(allowance(options)).toEqual({
      ...{ nodeName: "node-1", nodeSelector: { disk: "hdd" }, priorityClassName: "low", tolerations },
      volumes: [secret("a"), secret("b"), secret("d"), secret("e")],
    });
  });

  test("is what the driver's pod says already, if it does", () => {
    const conf = {
      [`spark.kubernetes.driver.annotation.${ANNOTATION}`]: '{"hostNetwork":true}',
      "spark.kubernetes.executor.secrets.keys": "/etc/keys",
    };
    expect(allowance({ conf })).toEqual({ hostNetwork: true });
  });
});
