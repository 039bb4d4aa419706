"""Checks FHIR bundles: structure by fhir.resources, then required bindings and invariants.

Called by Tools/validate-fhir with releases (r4b, r5) and files; each file follows its release.
"""

import json
import sys

from fhir.resources.bundle import Bundle as R5Bundle
from fhir.resources.R4B.bundle import Bundle as R4BBundle

LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"

STATUS = {
    "Observation": {"registered", "preliminary", "final", "amended", "corrected", "cancelled",
                    "entered-in-error", "unknown"},
    "Immunization": {"completed", "entered-in-error", "not-done"},
    "Flag": {"active", "inactive", "entered-in-error"},
    "DocumentReference": {"current", "superseded", "entered-in-error"},
    "Composition": {"preliminary", "final", "amended", "entered-in-error"},
}
MEDICATION = {
    "r4b": {"active", "completed", "entered-in-error", "intended", "stopped", "on-hold", "unknown",
            "not-taken"},
    "r5": {"recorded", "entered-in-error", "draft"},
}
CLINICAL = {
    "Condition": ("http://terminology.hl7.org/CodeSystem/condition-clinical",
                  {"active", "recurrence", "relapse", "inactive", "remission", "resolved"}),
    "AllergyIntolerance": (
        "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical",
        {"active", "inactive", "resolved"}),
}
SECTIONS = {"11450-4": "problems", "48765-2": "allergies", "10160-0": "medications"}


def codes(concept, system):
    return {c.get("code") for c in (concept or {}).get("coding", []) if c.get("system") == system}


def check_quantity(quantity, code):
    if quantity.get("system") != UCUM or quantity.get("code") != code:
        yield f"a quantity is not in {code}"


def check_resource(resource, release):
    kind = resource["resourceType"]
    allowed = MEDICATION[release] if kind == "MedicationStatement" else STATUS.get(kind)
    if allowed and resource.get("status") not in allowed:
        yield "status"
    if kind == "Patient" and resource.get("gender", "unknown") not in {
            "male", "female", "other", "unknown"}:
        yield "gender"
    if kind in CLINICAL:
        system, values = CLINICAL[kind]
        found = codes(resource.get("clinicalStatus"), system)
        if not found or not found <= values:
            yield "clinicalStatus"
        if kind == "Condition" and "abatementDateTime" in resource and not found & {
                "inactive", "resolved", "remission"}:
            yield "an abatement, but the status has not ended"
    if kind == "Immunization" and ("occurrenceDateTime" in resource) == (
            "occurrenceString" in resource):
        yield "occurrence[x]"
    if kind == "Observation":
        yield from check_observation(resource)
    if len(resource.get("id", "")) > 64:
        yield "id"


def check_observation(resource):
    kind = codes(resource.get("code"), LOINC)
    if "85354-9" in kind:
        parts = {}
        for part in resource.get("component", []):
            for code in codes(part.get("code"), LOINC):
                parts[code] = part.get("valueQuantity", {})
        if set(parts) != {"8480-6", "8462-4"}:
            yield "the components of a blood pressure"
        for quantity in parts.values():
            yield from check_quantity(quantity, "mm[Hg]")
    elif "29463-7" in kind and "valueQuantity" in resource:
        yield from check_quantity(resource["valueQuantity"], "kg")
    if not any(k.startswith("value") or k in ("component", "dataAbsentReason") for k in resource):
        yield "neither a value nor a reason for its absence"


def check_bundle(bundle, release):
    entries = bundle.get("entry", [])
    urls = [entry.get("fullUrl") for entry in entries]
    if None in urls or len(set(urls)) != len(urls):
        yield "fullUrl is missing or comes twice"
    for entry in entries:
        resource = entry["resource"]
        for problem in check_resource(resource, release):
            yield f"{resource['resourceType']}/{resource.get('id')}: {problem}"
    for reference in references(bundle):
        if reference.startswith("urn:uuid:") and reference not in urls:
            yield f"no entry has {reference}"
    if bundle["type"] == "document":
        if "identifier" not in bundle or "timestamp" not in bundle:
            yield "a document needs an identifier and a timestamp"
        if entries[0]["resource"]["resourceType"] != "Composition":
            yield "a document begins with its composition"
        found = set()
        for section in entries[0]["resource"].get("section", []):
            found |= codes(section.get("code"), LOINC)
            if ("entry" in section) == ("emptyReason" in section):
                yield f"section {section.get('title')}: entries or a reason for their absence"
        for code, name in SECTIONS.items():
            if code not in found:
                yield f"the section of {name} is missing"


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("reference"), str):
            yield value["reference"]
        for member in value.values():
            yield from references(member)
    elif isinstance(value, list):
        for element in value:
            yield from references(element)


def main(words):
    release, failures, count = None, 0, 0
    for word in words:
        if word in ("r4b", "r5"):
            release = word
            continue
        if release is None:
            sys.exit("validate-fhir: name a release, r4b or r5, before the files")
        with open(word, encoding="utf-8") as file:
            bundle = json.load(file)
        problems = []
        try:
            (R4BBundle if release == "r4b" else R5Bundle).model_validate(bundle)
        except ValueError as error:
            problems.append(str(error))
        problems += check_bundle(bundle, release)
        count += 1
        failures += bool(problems)
        for problem in problems:
            print(f"{word}: {problem}")
    if failures or not count:
        sys.exit(f"validate-fhir: {failures} of {count} files are not valid")
    print(f"validate-fhir: {count} files are valid")


main(sys.argv[1:])
