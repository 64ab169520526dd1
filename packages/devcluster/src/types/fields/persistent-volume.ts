/** Persistent volumes and claims, in the notation of `parse-schema.ts`. */
export const persistentVolumeTypes = `
package io.k8s.api.core.v1
PersistentVolumeClaim
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: PersistentVolumeClaimSpec #2
  status?: PersistentVolumeClaimStatus #3
PersistentVolumeClaimStatus
  phase?: string #1
  accessModes?: []string @atomic #2
  capacity?: {}Quantity #3
  conditions?: []PersistentVolumeClaimCondition @map(type) ^type #4
  allocatedResources?: {}Quantity #5
  allocatedResourceStatuses?: {}string #7
  currentVolumeAttributesClassName?: *string #8
PersistentVolumeClaimCondition
  type!: string #1
  status!: string #2
  lastProbeTime?: Time #3
  lastTransitionTime?: Time #4
  reason?: string #5
  message?: string #6
PersistentVolume
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: PersistentVolumeSpec #2
  status?: PersistentVolumeStatus #3
PersistentVolumeSpec
  capacity?: {}Quantity #1
  hostPath?: *HostPathVolumeSource #2.3
  nfs?: *NFSVolumeSource #2.5
  local?: *LocalVolumeSource #2.20
  csi?: *CSIPersistentVolumeSource #2.22
  accessModes?: []string @atomic #3
  claimRef?: *ObjectReference #4
  persistentVolumeReclaimPolicy?: string #5 = "Retain"
  storageClassName?: string #6
  mountOptions?: []string @atomic #7
  volumeMode?: *string #8 = "Filesystem"
  nodeAffinity?: *VolumeNodeAffinity #9
  volumeAttributesClassName?: *string #10
SecretReference @atomic
  name?: string #1
  namespace?: string #2
LocalVolumeSource
  path!: string #1
  fsType?: *string #2
CSIPersistentVolumeSource
  driver!: string #1
  volumeHandle!: string #2
  readOnly?: bool #3
  fsType?: string #4
  volumeAttributes?: {}string #5
  controllerPublishSecretRef?: *SecretReference #6
  nodeStageSecretRef?: *SecretReference #7
  nodePublishSecretRef?: *SecretReference #8
  controllerExpandSecretRef?: *SecretReference #9
  nodeExpandSecretRef?: *SecretReference #10
VolumeNodeAffinity
  required?: *NodeSelector #1
PersistentVolumeStatus
  phase?: string #1
  message?: string #2
  reason?: string #3
  lastPhaseTransitionTime?: *Time #4
`;
