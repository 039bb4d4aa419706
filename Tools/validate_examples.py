"""Checks every example of an OpenAPI document against its schema; the library comes with the validator."""

import json
import sys

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

document = json.load(open(sys.argv[1]))
resource = Resource(contents=document, specification=DRAFT202012)
registry = Registry().with_resource("urn:openapi", resource)
count = 0
wrong = []


def absolute(schema):
    """The schema with its references pointing into the document."""
    if isinstance(schema, dict):
        return {
            key: f"urn:openapi{value}" if key == "$ref" else absolute(value)
            for key, value in schema.items()
        }
    return [absolute(item) for item in schema] if isinstance(schema, list) else schema


def look(node, place):
    global count
    if isinstance(node, dict):
        if "example" in node and "schema" in node:
            count += 1
            validator = Draft202012Validator(absolute(node["schema"]), registry=registry)
            wrong.extend(f"{place}: {e.message}" for e in validator.iter_errors(node["example"]))
        for key, value in node.items():
            if key != "example":
                look(value, f"{place}/{key}")
    elif isinstance(node, list):
        for index, value in enumerate(node):
            look(value, f"{place}/{index}")


look(document, "")
for line in wrong:
    print(line)
if wrong or count < 40:
    sys.exit(f"validate-openapi: {len(wrong)} of {count} examples are wrong, or there are too few")
print(f"validate-openapi: {count} examples conform to their schemas")
