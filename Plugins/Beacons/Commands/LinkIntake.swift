import Foundation
import Geodesy
import PluginKit

/// The places of a file of map links, and why some links have none.
struct LinkIntake {
    let found: [ContactIntake.Contact]
    /// What is to be known about them; `nil` for nothing.
    let note: String?
    /// What became of them.
    let account: SourceAccount
    /// Longer files are no lists of links.
    private static let longest = 1 << 20
    /// Links named in a note.
    private static let named = 3

    /// `nil` if the file has no links. Throws `E-BEACON-LINK` if none of them has a place.
    init?(_ url: URL, _ context: Context) async throws {
        let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        guard let size, size <= Self.longest, let data = try? Data(contentsOf: url),
            let text = String(data: data, encoding: .utf8), !Self.isOtherFormat(text),
            let links = PlaceLinks.links(in: text)
        else { return nil }
        var found: [ContactIntake.Contact] = []
        for link in links {
            guard let place = link.coordinate else { continue }
            var name = link.name
            if name == nil { name = try await context.placeName(at: place) }
            found.append(
                ContactIntake.Contact(name: name ?? "place", coordinate: place, group: nil, id: nil))
        }
        self.found = found
        let without = links.filter { $0.coordinate == nil }.map(\.text)
        let views = links.count { $0.coordinate != nil && $0.isView }
        let missing =
            without.isEmpty
            ? nil
            : "\(without.count, of: "link") without a place: \(without.prefix(Self.named).joined(separator: ", "))"
                + (without.count > Self.named ? ", …" : "")
        let middle =
            views == 0
            ? nil : "\(views, of: "link") with no mark: the middle of the map's view was taken"
        account = SourceAccount(
            source: url.lastPathComponent,
            parts: [
                .init(
                    item: "link", seen: links.count, used: found.count,
                    entries: [
                        .init(
                            .setAside, "without a place", count: without.count,
                            first: Array(without.prefix(Self.named)))
                    ])
            ], remarks: middle.map { [$0] } ?? [])
        let notes = [missing, middle].compactMap(\.self)
        note = notes.isEmpty ? nil : notes.joined(separator: "; ")
        guard !found.isEmpty else {
            throw BeaconErrors.link(
                note.map { "\(url.lastPathComponent): \($0)" } ?? "no links", at: .parameter("file"),
                fix: "a short link has no place: open it, and copy the address that it leads to")
        }
    }

    /// Whether it is XML, JSON or a property list, whose addresses are those of formats and no places.
    private static func isOtherFormat(_ text: String) -> Bool {
        let first = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
        return first == "<" || first == "{" || text.hasPrefix("bplist")
    }
}
