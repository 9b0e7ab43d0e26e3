#!/bin/bash
# The folder on which the old script fails.
set -e
work=/home/student/work
mkdir -p "$work/old"
cd "$work"
echo 'milk, bread' >'shopping list.txt'
echo 'north, south' >plan.txt
echo 'a star' >'*'
echo 'an option' >./-r
echo 'two lines' >$'first\nsecond.txt'
echo 'hidden' >.settings
echo 'in a folder' >old/notes.txt
chown -R student:student "$work"
