#!/bin/bash
set -e
printf '%s\n' tac 5 --sort=size > ~/answers.txt
