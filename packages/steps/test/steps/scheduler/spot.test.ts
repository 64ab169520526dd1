import { expect, test } from "vitest";
import { driver, gatewayDriver, KEY } from "./gateway-driver.ts";

const SPOT = "spark.kindling.spot";

function told(conf: Record<string, string>): unknown {
  const text = gatewayDriver({ conf }).driverPod.metadata?.annotations?.["scheduler.kindling/spot"];
  return text === undefined ? undefined : JSON.parse(text);
}

test("the gateway is told of the share for spot nodes", () => {
  expect(told({})).toBeUndefined();
  expect(told({ [SPOT]: "0.7" })).toEqual({ share: 0.7, onDemand: ["driver", "minExecutors"], fallback: true });
  expect(told({ [SPOT]: "1", [`${SPOT}.onDemand`]: "", [`${SPOT}.fallback`]: "false" })).toEqual({
    share: 1,
    onDemand: [],
    fallback: false,
  });
});

test.each([
  [{ [SPOT]: "70" }, /spark.kindling.spot/],
  [{ [SPOT]: "0.5", [`${SPOT}.onDemand`]: "driver,executors" }, /spark.kindling.spot.onDemand/],
])("%o is refused", (conf, message) => {
  expect(() => told(conf)).toThrow(message);
});

test("keys without effect are told", () => {
  const notices: string[] = [];
  driver({ conf: { [SPOT]: "0.7" } }, (message) => notices.push(message));
  driver({ conf: { [KEY]: "gateway", [`${KEY}.uri`]: "https://g:1", [`${SPOT}.fallback`]: "false" } }, (message) =>
    notices.push(message),
  );
  expect(notices).toEqual([
    `${SPOT} has no effect without ${KEY}=gateway`,
    `${SPOT}.fallback has no effect without ${SPOT}`,
  ]);
});
