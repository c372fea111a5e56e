import Core
import Foundation

/// A page as one file with inline style and script. A server that sends them as separate files reads them
/// from here.
public struct WebPage: Sendable {
    /// The style of every page.
    public static var style: String { text(PackageResources.page_css) }
    /// The script of exercises and sliders.
    public static var exerciseScript: String { text(PackageResources.exercise_js) }
    /// The script of players.
    public static var playerScript: String { text(PackageResources.player_js) }

    /// The title.
    public var title: String
    /// The body as HTML.
    public var body: String
    /// Whether it has players.
    public var plays: Bool
    /// Whether it has exercises or sliders.
    var hasExercises = false

    /// A page.
    public init(title: String, body: String, plays: Bool) {
        self.title = title
        self.body = body
        self.plays = plays
    }

    /// The whole file.
    public var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="generator" content="rutter">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <title>\(Markup.html(title))</title>
        <style>
        \(Self.style)</style>
        </head>
        <body>
        <main>
        \(body)</main>
        \(plays ? Self.script(Self.playerScript) : "")\(hasExercises ? Self.script(Self.exerciseScript) : "")</body>
        </html>

        """
    }

    /// What the page may load: nothing from another machine, so that opening it tells nobody.
    private static let policy =
        "default-src 'none'; img-src 'self' data: blob: file:; media-src 'self' data: blob: file:; "
        + "style-src 'unsafe-inline'; script-src 'unsafe-inline'; font-src data:"

    private static func script(_ text: String) -> String { "<script>\n\(text)</script>\n" }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Texts in HTML.
enum HTMLText {
    /// JSON inside a script element, escaped so that it cannot end the element.
    static func inScript(_ json: String) -> String {
        json.replacingOccurrences(of: "<", with: "\\u003c")
            .replacingOccurrences(of: "\u{2028}", with: "\\u2028")
            .replacingOccurrences(of: "\u{2029}", with: "\\u2029")
    }
}
