import { CONFIG_MAP, profile, RESOURCES, SECRET, USER_AND_GROUP } from "./shared-rules.ts";
import { COMPARED, except, fields, harmless, HARMLESS, list, type Rule } from "./rules.ts";

// A kubelet sends probes from the node, which can reach what pods cannot, unless the probe goes to the pod itself.
const OF_THE_POD = except("");

const ACTIONS: Record<string, Rule> = {
  exec: fields(harmless("command")),
  httpGet: fields({
    ...harmless("path port protocol scheme"),
    httpHeaders: list(fields(harmless("name value"))),
    host: OF_THE_POD,
  }),
  tcpSocket: fields({ ...harmless("port"), host: OF_THE_POD }),
};

const PROBE = fields({
  ...ACTIONS,
  ...harmless("failureThreshold initialDelaySeconds periodSeconds successThreshold timeoutSeconds"),
  ...harmless("terminationGracePeriodSeconds"),
  grpc: fields(harmless("mode port service")),
});

const HOOK = fields({ ...ACTIONS, sleep: fields(harmless("seconds")) });

const SECURITY_CONTEXT = fields({
  ...harmless("allowPrivilegeEscalation readOnlyRootFilesystem runAsNonRoot"),
  ...USER_AND_GROUP,
  capabilities: fields({ drop: HARMLESS, add: list(COMPARED) }),
  privileged: except(false),
  procMount: except("Default"),
  seccompProfile: profile("RuntimeDefault"),
  appArmorProfile: profile("RuntimeDefault"),
});

const ENV = fields({
  ...harmless("name value"),
  valueFrom: fields({
    fieldRef: fields(harmless("apiVersion fieldPath")),
    resourceFieldRef: fields(harmless("containerName divisor resource")),
    configMapKeyRef: fields({ ...harmless("key optional"), name: CONFIG_MAP }),
    secretKeyRef: fields({ ...harmless("key optional"), name: SECRET }),
    // A file of a volume of the pod, which has a rule of its own.
    fileKeyRef: fields(harmless("key optional path volumeName")),
  }),
});

const ENV_FROM = fields({
  prefix: HARMLESS,
  configMapRef: fields({ optional: HARMLESS, name: CONFIG_MAP }),
  secretRef: fields({ optional: HARMLESS, name: SECRET }),
});

/** Containers and init containers. Their mounts are also judged with the volume (`shared-volumes.ts`). */
export const CONTAINER: Rule = fields({
  ...harmless("name image imagePullPolicy command args workingDir stdin stdinOnce tty"),
  ...harmless("terminationMessagePath terminationMessagePolicy restartPolicy"),
  env: list(ENV),
  envFrom: list(ENV_FROM),
  lifecycle: fields({ postStart: HOOK, preStop: HOOK, stopSignal: HARMLESS }),
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  startupProbe: PROBE,
  ports: list(fields({ ...harmless("containerPort name protocol"), hostPort: except(0), hostIP: except("") })),
  resizePolicy: list(fields(harmless("resourceName restartPolicy"))),
  resources: RESOURCES,
  restartPolicyRules: list(fields({ action: HARMLESS, exitCodes: fields(harmless("operator values")) })),
  securityContext: SECURITY_CONTEXT,
  volumeDevices: list(fields(harmless("devicePath name"))),
  volumeMounts: list(
    fields({
      // The options are `noexec`, `nodev` and `nosuid`, which take something away.
      ...harmless("bindMountOptions name mountPath readOnly recursiveReadOnly subPath subPathExpr"),
      mountPropagation: except("None"),
    }),
  ),
});
