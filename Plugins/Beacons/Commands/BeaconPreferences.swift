import Foundation
import PluginKit

/// `beacon import FILE`
struct ImportBeacons: CommandProvider {
    var name: String { "beacon import" }

    var command: Command {
        Command(
            name, "add beacons of an app's preferences, contacts or links",
            details: """
                A vCard file: each contact with a place (GEO), or an address (ADR) that `place find` finds, becomes a beacon; the \
                note names the others. A text with map links, one a line (`geo:`, OpenStreetMap, Apple's and Google's maps): each \
                place becomes a beacon, named by the text before the link, its label, or what lies there. Otherwise: \
                reads the property list in which an app saves its preferences (XML or binary, key SavedLocations). A beacon with \
                an identifier that exists is replaced; a duplicate name gets a number. A beacon without an identifier, a tone or a name \
                gets one; the note names those without a place.
                """,
            .positional("file", .inputFile, "property list, contacts.vcf, or a text of links"),
            output: .rows(BeaconObject.columns), effect: .changes,
            examples: [
                .init(
                    "what was exported", "beacon import app.plist | select name tone",
                    after: [
                        "beacon add home 0.5,0.51 --tone warm", "beacon export app.plist",
                        "beacon delete home",
                    ],
                    gives: """
                        name  tone
                        home  Warm Alternate
                        """),
                .init(
                    "contacts", "beacon import home.vcf | get name",
                    after: [
                        "beacon add home 0.5,0.51", "beacon share home --out home.vcf", "beacon delete home",
                    ], gives: "home"),
                .init(
                    "links", "beacon import links.txt | select name at",
                    after: [
                        "beacon add home 0.5,0.51", "beacon share home | save links.txt",
                        "beacon delete home",
                        "beacon add place 0,0",
                    ],
                    gives: """
                        name     at
                        place 2  0.5,0.51
                        """),
            ],
            searchTerms: [
                "map link", "geo", "url", "contacts", "vcard", "plist", "userdefaults", "preferences",
                "saved locations",
            ]
        ) { context, url in
            if let contacts = try await ContactIntake(url, context) {
                let rows = try BeaconStore(context).change(in: context) { set in
                    let indexes = try contacts.found.map { try set.add($0, context) }
                    return (indexes.map(set.object), "imported \(contacts.found.count, of: "contact")")
                }
                context.keep([contacts.account], by: name)
                return .table(
                    contacts.account, objects: rows, columns: BeaconObject.columns, note: contacts.note)
            }
            if let links = try await LinkIntake(url, context) {
                let rows = try BeaconStore(context).change(in: context) { set in
                    let indexes = try links.found.map { try set.add($0, context) }
                    return (indexes.map(set.object), "imported \(links.found.count, of: "link")")
                }
                context.keep([links.account], by: name)
                return .table(
                    links.account, objects: rows, columns: BeaconObject.columns, note: links.note)
            }
            let found: PreferencesIntake
            do {
                let name = url.lastPathComponent
                found = try PreferencesIntake(PreferencesFile(url).locations(file: name), file: name)
            } catch let error as RutterError {
                throw error.located(at: .parameter("file"))
            }
            let rows = try BeaconStore(context).change(in: context) { set in
                let indexes = try found.beacons { set.freshID(context.random.uuid) }
                    .map { beacon in try set.take(beacon) }
                return (indexes.map(set.object), "imported \(found.count, of: "beacon")")
            }
            context.keep([found.account], by: name)
            return .table(found.account, objects: rows, columns: BeaconObject.columns, note: found.note)
        }
    }
}

extension BeaconSet {
    /// Adds a beacon of another set, or replaces the one with its identifier; returns its index.
    mutating func take(_ beacon: Beacon) throws -> Int {
        var beacon = beacon
        let name = beacon.name
        var number = 1
        while Self.isNorth(beacon.name)
            || beacons.contains(where: {
                $0.id != beacon.id && $0.name.lowercased() == beacon.name.lowercased()
            })
        {
            number += 1
            beacon.name = "\(name) \(number)"
        }
        try checkName(beacon.name, except: beacon.id)
        if let index = beacons.firstIndex(where: { $0.id == beacon.id }) {
            beacons[index] = beacon
            return index
        }
        beacons.append(beacon)
        return beacons.count - 1
    }
}

/// `beacon export FILE`
struct ExportBeacons: CommandProvider {
    var name: String { "beacon export" }

    var command: Command {
        Command(
            name, "write the beacons to an app's preferences",
            details: """
                Writes a binary property list with the key SavedLocations, as an app saves its preferences. With --force, an \
                existing list keeps its format and all of its other keys.
                """,
            .positional("file", .outputFile, "property list to write"),
            BeaconOptions.force,
            output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "one beacon", "beacon export app.plist", after: ["beacon add home 0.5,0.51"],
                    gives: "1 beacon written to app.plist")
            ],
            searchTerms: [
                "landmarks for another phone", "beacons for another phone", "plist", "userdefaults",
                "preferences", "saved locations",
            ]
        ) { context, url, force in
            let beacons = try BeaconStore(context).load().beacons
            let isThere = FileManager.default.fileExists(atPath: url.path)
            let file = try isThere && force ? PreferencesFile(url) : PreferencesFile()
            try OutputFile.write(try file.data(with: beacons), to: url, force: force)
            let count = "\(beacons.count, of: "beacon")"
            return .text("\(count) written to \(url.lastPathComponent)")
        }
    }
}
