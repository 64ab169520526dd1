import { KindlingError, type Step } from "@kindling/core-spec";

/** Stock servers from Spark 4.0 on ask for this token (Connect.scala, `CONNECT_AUTHENTICATE_TOKEN_ENV`). */
export const TOKEN_VARIABLE = "SPARK_CONNECT_AUTHENTICATE_TOKEN";
const TOKEN_KEY = "token";

/**
 * Gives a driver the token by which it knows this service. The token is in a Secret that goes with the pod: properties would be
 * in a ConfigMap.
 */
export function connectStep(token: string): Step {
  return {
    name: "connect-token",
    configureDriver(spec, { namespace, resourceNamePrefix }) {
      const name = `${resourceNamePrefix}-connect`;
      const env = spec.driverContainer.env ?? [];
      if (env.some((variable) => variable.name === TOKEN_VARIABLE))
        throw new KindlingError("CONF_INVALID", `the profile sets ${TOKEN_VARIABLE}, which kindling-connect sets`);
      const secret = {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, namespace },
        type: "Opaque",
        data: { [TOKEN_KEY]: Buffer.from(token).toString("base64") },
      };
      return {
        ...spec,
        preKubernetesResources: [...spec.preKubernetesResources, secret],
        driverContainer: {
          ...spec.driverContainer,
          env: [...env, { name: TOKEN_VARIABLE, valueFrom: { secretKeyRef: { name, key: TOKEN_KEY } } }],
        },
      };
    },
  };
}
