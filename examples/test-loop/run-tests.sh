#!/bin/sh
echo "want 4, got 5"
exit 1
