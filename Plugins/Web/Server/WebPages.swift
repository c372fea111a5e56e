import Formats
import PluginKit

/// Answers admitted requests.
struct WebPages: Sendable {
    let entries: any EntryRunning
    let isReadOnly: Bool
    let permits: EntryPermits
    let tiles: TilePages
    let images = ImagePages(limit: WebSettings.imageBytes)
    let feeds: LiveFeeds
    let downloads = FilePages()
    let files = PageFiles()

    func response(to request: WebRequest) async -> WebResponse {
        switch (request.method, request.path) {
        case ("GET", "/api/session"): await session()
        case ("GET", "/api/files"): .json(JSONTree.list(files.paths.map { .text($0) }).compactText)
        case ("GET", "/api/icons"): .json(IconPages.text)
        case ("GET", let path) where path.hasPrefix("/tiles/"): await tiles.response(to: path)
        case ("GET", let path) where path.hasPrefix("/images/"): images.response(to: path)
        case ("GET", let path) where path.hasPrefix("/files/"): downloads.response(to: path)
        case ("POST", "/api/run"): await run(request)
        case ("POST", "/api/stop"): stop(request)
        case ("GET", let path), ("HEAD", let path): file(path, request)
        default: .text(405, "use GET or HEAD, or POST to /api/run or /api/stop\n")
        }
    }

    private func file(_ path: Substring, _ request: WebRequest) -> WebResponse {
        guard let file = files[path] else {
            if path.hasPrefix("/leaflet/"), !files.hasLeaflet {
                return .text(404, "the map requires Debian's package libjs-leaflet\n")
            }
            return .text(404, "unknown page\n")
        }
        let headers = [("Content-Type", file.type), ("ETag", file.tag), ("Cache-Control", "no-cache")]
        if request.only("if-none-match") == file.tag { return WebResponse(status: 304, headers: headers) }
        return WebResponse(status: 200, headers: headers, body: file.bytes)
    }

    /// Facts of the session shown in every section.
    private func session() async -> WebResponse {
        do {
            let context = try await entries.context()
            let moment = await entries.cells([.date(context.clock.now)])[0]
            let facts = JSONTree(members: [
                "workspace": .text(context.workspace.lastPathComponent),
                "device": context.activeWorkspace.name.map { .text($0) },
                "store": context.stores.current.map { .text($0.name) },
                "clock": .text(moment),
                "followsClock": .boolean(context.clock.isFollowing),
                "timezone": .text(context.environment.timeZone.identifier),
                "units": .text(context.environment.units.rawValue),
                "readOnly": .boolean(isReadOnly),
                "hasLeaflet": .boolean(files.hasLeaflet),
            ])
            return .json(facts.compactText)
        } catch {
            return .text(500, "the session has ended\n")
        }
    }

    /// `{"entry": …}`: runs an entry and returns its result.
    private func run(_ request: WebRequest) async -> WebResponse {
        guard request.only("content-type") == "application/json" else {
            return .text(415, "entries must be sent as application/json\n")
        }
        let asked: RunRequest
        do {
            asked = try RunRequest(json: try JSONTree(parsing: request.body))
        } catch {
            return .text(400, "not a request to run an entry: \(error)\n")
        }
        var options = EntryRunOptions(
            width: asked.width, isRecorded: asked.isRecorded, isReadOnly: isReadOnly,
            permit: permits[request.only(EntryPermits.header)])
        options.leavesLiveRows = asked.views.contains("live")
        let view = ResultView(entries: entries, images: images, feeds: feeds)
        guard asked.views.contains("file") else {
            return .json(await view.text(of: await entries.run(asked.entry, options), asked: asked))
        }
        let (outcome, file) = await downloads.collect { [options] folder in
            var options = options
            options.outputFolder = folder
            return await entries.run(asked.entry, options)
        }
        return .json(await view.text(of: outcome, asked: asked, file: file))
    }

    /// `{"live": …}`: stops a feed of rows.
    private func stop(_ request: WebRequest) -> WebResponse {
        guard let number = try? JSONTree(parsing: request.body).read("live") as Int else {
            return .text(400, "not a request to stop\n")
        }
        feeds.stop(number)
        return .text(200, "stopping\n")
    }
}

/// A page's request to run an entry.
struct RunRequest: Sendable {
    /// The entry as typed.
    let entry: String
    /// Whether the user triggered it, so that it is recorded in the session.
    let isRecorded: Bool
    /// Width of the text in columns.
    let width: Int
    /// The requested views in addition to the text, from `ResultView.names`.
    let views: Set<String>

    init(json: JSONTree) throws(JSONFault) {
        entry = try json.read("entry")
        isRecorded = try json.readIfPresent("record") ?? false
        let wanted: Int = try json.readIfPresent("width") ?? 100
        width = min(max(wanted, WebSettings.widths.lowerBound), WebSettings.widths.upperBound)
        views = Set((json["views"]?.items ?? []).compactMap(\.text))
    }
}
