#!/bin/bash
touch /opt/ready
