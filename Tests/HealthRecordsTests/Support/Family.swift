import SyncKit

@testable import HealthRecords

extension Household {
  /// A person and a pet with an entry of every kind, and some that are awkward.
  static func family() throws -> Household {
    let home = try Household("family")
    try home.add([
      "personalFamilyName": "Schmidt", "personalGivenName": "Anna", "personalNickName": "Änni",
      "personalGender": "Female", "personalBirthdate": "1980-02-29",
      "personalSocialSecurityNumber": "756.1234.5678.97",
      "personalAddress": "Seeweg 3\n8000 Zürich", "personalHealthInsurance": "Helsana",
      "personalHealthInsuranceNumber": "80756", "personalEmployer": "ACME & <Co>",
      "bloodType": "A+",
    ])
    try home.add(
      [
        "isPet": true, "personalName": "Rex", "personalAnimalID": "756098100123456",
        "petBreed": "Beagle", "petColor": "tricolour", "ownerName": "Anna Schmidt",
        "ownerPhone": "+41 44 000 00 00", "ownerEmail": "anna@example.org",
        "vetClinicName": "Tierklinik", "vetPhone": "+41 44 111 11 11",
        "vetNote": "closed on Mondays",
        "personalGender": "N/A",
      ], id: .rex)
    try home.addAnna()
    try home.add(
      .weight, ["date": "2025-11-02", "weightKg": 11.4], of: .rex, id: id(40))
    try home.add(
      .vaccination, ["name": "Rabies", "date": "2024-06-01", "nextDue": "2027-06-01"], of: .rex,
      id: id(41))
    try home.add(
      .petCost,
      ["date": "2025-03", "category": "Food", "amount": 42.5, "currency": "CHF", "note": "bag"],
      of: .rex, id: id(42))
    return home
  }

  /// An id for each number.
  static func id(_ number: Int) -> RecordID {
    RecordID("00000000-0000-4000-8000-0000000000\(number)")
  }

  private func addAnna() throws {
    let id = Household.id
    try add(
      .blood, ["name": "120/80 mmHg", "date": "2024-01-15T10:30:00+01:00", "comment": "calm"],
      id: id(10))
    try add(
      .blood,
      [
        "name": "Heart rate", "value": 72.5, "minimum": 48, "maximum": 131, "unit": "/min",
        "code": "8867-4", "date": "2024-01-15",
      ], id: id(11))
    try add(.blood, ["name": "Ferritin low", "date": "2023-12"], id: id(12))
    try add(.weight, ["weightKg": 72.5, "date": "2024-01-15"], id: id(13))
    try add(
      .drug,
      ["nameAndDosage": "Ramipril 5 mg 1-0-0", "date": "2023-05-01", "refillDue": "2026-12-01"],
      id: id(14))
    try add(
      .drug, ["nameAndDosage": "Amoxicillin", "date": "2022-01-03", "until": "2022-01-10"],
      id: id(15))
    try add(
      .vaccination,
      ["name": "Tetanus", "date": "2016-08-20", "information": "Batch 7", "place": "Bern"],
      id: id(16))
    try add(.vaccination, ["name": "Measles"], id: id(17))
    try add(.allergy, ["name": "Penicillin", "information": "rash", "date": "1999"], id: id(18))
    try add(
      .illness, ["name": "Hypertension", "date": "2021", "informationOrComment": "mild"],
      id: id(19))
    try add(.illness, ["name": "Otitis", "date": "2022-01-02", "until": "2022-02"], id: id(20))
    try add(.risk, ["name": "Smoker", "descriptionOrComment": "10 a day"], id: id(21))
    try add(
      .history, ["name": "Appendectomy", "date": "1995-07-01", "contact": "Inselspital"],
      id: id(22))
    try add(
      .document, ["name": "ECG", "date": "2024-01-15", "note": "in the blue folder"], id: id(23))
    try add(
      .doctor,
      ["name": "Dr. Huber", "type": "GP", "phone": "+41 31 000", "address": "Marktgasse 1"],
      id: id(24))
    try add(
      .emergencyContact, ["name": "Ben", "phone": "+41 79 000", "email": "ben@example.org"],
      id: id(25))
  }
}
