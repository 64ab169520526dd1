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
  modifyVolumeStatus?: *ModifyVolumeStatus #9
PersistentVolumeClaimCondition
  type!: string #1
  status!: string #2
  lastProbeTime?: Time #3
  lastTransitionTime?: Time #4
  reason?: string #5
  message?: string #6
ModifyVolumeStatus
  targetVolumeAttributesClassName?: string #1
  status!: string #2
PersistentVolume
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: PersistentVolumeSpec #2
  status?: PersistentVolumeStatus #3
PersistentVolumeSpec
  capacity?: {}Quantity #1
  gcePersistentDisk?: *GCEPersistentDiskVolumeSource #2.1
  awsElasticBlockStore?: *AWSElasticBlockStoreVolumeSource #2.2
  hostPath?: *HostPathVolumeSource #2.3
  glusterfs?: *GlusterfsPersistentVolumeSource #2.4
  nfs?: *NFSVolumeSource #2.5
  rbd?: *RBDPersistentVolumeSource #2.6
  iscsi?: *ISCSIPersistentVolumeSource #2.7
  cinder?: *CinderPersistentVolumeSource #2.8
  cephfs?: *CephFSPersistentVolumeSource #2.9
  fc?: *FCVolumeSource #2.10
  flocker?: *FlockerVolumeSource #2.11
  flexVolume?: *FlexPersistentVolumeSource #2.12
  azureFile?: *AzureFilePersistentVolumeSource #2.13
  vsphereVolume?: *VsphereVirtualDiskVolumeSource #2.14
  quobyte?: *QuobyteVolumeSource #2.15
  azureDisk?: *AzureDiskVolumeSource #2.16
  photonPersistentDisk?: *PhotonPersistentDiskVolumeSource #2.17
  portworxVolume?: *PortworxVolumeSource #2.18
  scaleIO?: *ScaleIOPersistentVolumeSource #2.19
  local?: *LocalVolumeSource #2.20
  storageos?: *StorageOSPersistentVolumeSource #2.21
  csi?: *CSIPersistentVolumeSource #2.22
  accessModes?: []string @atomic #3
  claimRef?: *ObjectReference #4
  persistentVolumeReclaimPolicy?: string #5 = "Retain"
  storageClassName?: string #6
  mountOptions?: []string @atomic #7
  volumeMode?: *string #8 = "Filesystem"
  nodeAffinity?: *VolumeNodeAffinity #9
  volumeAttributesClassName?: *string #10
GlusterfsPersistentVolumeSource
  endpoints!: string #1
  path!: string #2
  readOnly?: bool #3
  endpointsNamespace?: *string #4
RBDPersistentVolumeSource
  monitors!: []string @atomic #1
  image!: string #2
  fsType?: string #3
  pool?: string #4 = "rbd"
  user?: string #5 = "admin"
  keyring?: string #6 = "/etc/ceph/keyring"
  secretRef?: *SecretReference #7
  readOnly?: bool #8
SecretReference @atomic
  name?: string #1
  namespace?: string #2
ISCSIPersistentVolumeSource
  targetPortal!: string #1
  iqn!: string #2
  lun!: int32 #3
  iscsiInterface?: string #4 = "default"
  fsType?: string #5
  readOnly?: bool #6
  portals?: []string @atomic #7
  chapAuthDiscovery?: bool #8
  chapAuthSession?: bool #11
  secretRef?: *SecretReference #10
  initiatorName?: *string #12
CinderPersistentVolumeSource
  volumeID!: string #1
  fsType?: string #2
  readOnly?: bool #3
  secretRef?: *SecretReference #4
CephFSPersistentVolumeSource
  monitors!: []string @atomic #1
  path?: string #2
  user?: string #3
  secretFile?: string #4
  secretRef?: *SecretReference #5
  readOnly?: bool #6
FlexPersistentVolumeSource
  driver!: string #1
  fsType?: string #2
  secretRef?: *SecretReference #3
  readOnly?: bool #4
  options?: {}string #5
AzureFilePersistentVolumeSource
  secretName!: string #1
  shareName!: string #2
  readOnly?: bool #3
  secretNamespace: *string #4
ScaleIOPersistentVolumeSource
  gateway!: string #1
  system!: string #2
  secretRef!: *SecretReference #3
  sslEnabled?: bool #4
  protectionDomain?: string #5
  storagePool?: string #6
  storageMode?: string #7 = "ThinProvisioned"
  volumeName?: string #8
  fsType?: string #9 = "xfs"
  readOnly?: bool #10
LocalVolumeSource
  path!: string #1
  fsType?: *string #2
StorageOSPersistentVolumeSource
  volumeName?: string #1
  volumeNamespace?: string #2
  fsType?: string #3
  readOnly?: bool #4
  secretRef?: *ObjectReference #5
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
