#!/bin/sh
# Tries the exams and laboratories of a content directory with the container image of the service, on the Docker engine of this machine.
# Usage: SERVICE_IMAGE=registry.example.com/learning-platform-service sh try-content.sh [DIRECTORY [JUNIT-FILE]]
# The exit status is that of `npm run try`: 1 if something is wrong, 3 if only solutions are missing.
set -eu
: "${SERVICE_IMAGE:?the container image of the service}"
directory=${1:-.}
junit=${2:-junit.xml}
socket=${DOCKER_SOCKET:-/var/run/docker.sock}
# The user of the image may use the engine as a member of the group of its socket.
engine="--volume $socket:/var/run/docker.sock --group-add $(stat -c %g "$socket")"

# Builds the images of exams and laboratories that this engine does not have. Remove the line if yours come from a registry.
docker run --rm $engine "$SERVICE_IMAGE" node images/build.ts

# The files are copied: the engine can be on a machine that has no such folder.
trial=$(docker create $engine "$SERVICE_IMAGE" \
  node tools/main.ts try --directory /tmp/content --junit /tmp/junit.xml)
trap 'docker rm --force --volumes "$trial" >/dev/null' EXIT
docker cp "$directory/." "$trial:/tmp/content"
status=0
docker start --attach "$trial" || status=$?
docker cp "$trial:/tmp/junit.xml" "$junit" || true
exit "$status"
