#!/bin/sh
# Makes the certificates of an installation from plain manifests, and publishes their CA to submissions:
#
#   certificates.sh [NAMESPACE]
#
# The namespace is kindling by default, and the installation's objects must exist already. An existing CA is kept; the
# services' certificates are created again each time. Needs openssl and kubectl.
set -eu
namespace=${1:-kindling}
days=3650
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

apply_secret() { # name, files…
  name=$1
  shift
  kubectl --namespace "$namespace" create secret generic "$name" --type=kubernetes.io/tls "$@" --dry-run=client -o yaml |
    kubectl apply -f - >/dev/null
}

if kubectl --namespace "$namespace" get secret kindling-ca >/dev/null 2>&1; then
  for file in tls.crt tls.key; do
    entry=$(echo "$file" | sed 's/\./\\./')
    kubectl --namespace "$namespace" get secret kindling-ca -o "jsonpath={.data.$entry}" | base64 -d >"ca-$file"
  done
else
  openssl req -x509 -newkey rsa:2048 -nodes -days "$days" -subj "/CN=kindling $namespace" \
    -keyout ca-tls.key -out ca-tls.crt 2>/dev/null
  apply_secret kindling-ca --from-file=tls.crt=ca-tls.crt --from-file=tls.key=ca-tls.key
fi

for service in kindling-staging kindling-gateway; do
  cat >names <<NAMES
subjectAltName=DNS:$service,DNS:$service.$namespace,DNS:$service.$namespace.svc,DNS:$service.$namespace.svc.cluster.local,DNS:localhost,IP:127.0.0.1
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,keyEncipherment
extendedKeyUsage=serverAuth
NAMES
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$service" -keyout tls.key -out request.pem 2>/dev/null
  openssl x509 -req -in request.pem -CA ca-tls.crt -CAkey ca-tls.key -CAcreateserial -days "$days" -extfile names \
    -out tls.crt 2>/dev/null
  apply_secret "$service-tls" --from-file=tls.crt --from-file=tls.key --from-file=ca.crt=ca-tls.crt
done

{
  printf 'data:\n  ca.crt: |\n'
  sed 's/^/    /' ca-tls.crt
} >patch.yaml
kubectl --namespace "$namespace" patch configmap kindling --type=merge --patch-file patch.yaml >/dev/null
echo "certificates of kindling-staging and kindling-gateway are in namespace $namespace"
