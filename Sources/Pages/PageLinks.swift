import Core
import Foundation

/// Links between the pages of a folder of notebooks.
public struct PageLinks: Sendable {
    /// The notebooks by their paths in the folder, such as `routes/plan.md`.
    private let notebooks: Set<String>

    /// The links among notebooks, by their paths in the folder.
    public init(_ notebooks: [String]) { self.notebooks = Set(notebooks) }

    /// The page of a notebook: its path with another extension.
    public static func page(of notebook: String) -> String {
        let name = notebook.lastIndex(of: ".").map { notebook[..<$0] } ?? notebook[...]
        return name + ".html"
    }

    /// The relative path from a notebook's page to the folder.
    public static func up(from notebook: String) -> String {
        String(repeating: "../", count: notebook.count { $0 == "/" })
    }

    /// The destination of a notebook's link to another notebook of the folder; `nil` for other links.
    public func destination(of link: String, in notebook: String) -> String? {
        let path = link.prefix { $0 != "#" && $0 != "?" }
        guard !path.isEmpty, !path.contains(":"), !path.hasPrefix("/"),
            let plain = String(path).removingPercentEncoding
        else { return nil }
        var parts = notebook.split(separator: "/").dropLast().map(String.init)
        for part in plain.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(String(part))
            } else if parts.popLast() == nil {
                return nil
            }
        }
        guard notebooks.contains(parts.joined(separator: "/")) else { return nil }
        return Self.page(of: String(path)) + link.dropFirst(path.count)
    }

    /// HTML of cmark-gfm with the destinations of its links replaced.
    static func moved(_ html: String, _ destination: (String) -> String?) -> String {
        let mark = "<a href=\""
        let pieces = html.components(separatedBy: mark)
        return pieces.dropFirst().reduce(pieces.first ?? "") { text, piece in
            let link = piece.prefix { $0 != "\"" }
            let target = destination(HTMLText.unescaped(String(link))).map(Markup.html) ?? String(link)
            return text + mark + target + piece.dropFirst(link.count)
        }
    }
}

extension HTMLText {
    /// The text of an attribute as cmark-gfm writes it.
    static func unescaped(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&amp;", with: "&")
    }
}
