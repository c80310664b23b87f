#!/bin/sh
echo "The plugin guard watches this session."
