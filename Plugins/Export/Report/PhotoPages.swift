import Formats
import Foundation
import Photos
import Pictures

/// The photos of the waypoints in two columns, each with its caption.
struct PhotoPages {
    let journey: ExportJourney
    let wording: JourneyWording
    let check: () throws -> Void

    /// A photo ready to be drawn.
    struct Photo {
        var bytes: [UInt8]
        var width: Double
        var height: Double
        var title: String
        /// Its waypoint.
        var place: MapPlace?
    }

    private static let captionHeight = 42.0
    /// Width of the time beside a title.
    private static let timeWidth = 62.0
    private static let columns = 2

    func add(to flow: inout PageFlow, warnings: inout [String]) throws {
        let photos = try usable(&warnings)
        if photos.isEmpty { return }
        flow.newPage()
        flow.heading("Photos")
        let width = (PageFlow.width - ReportSettings.photoGap) / Double(Self.columns)
        let height = ReportSettings.photoHeight + Self.captionHeight
        for row in stride(from: 0, to: photos.count, by: Self.columns) {
            if flow.need(height) { flow.heading("Photos") }
            for (column, photo) in photos[row..<min(photos.count, row + Self.columns)].enumerated() {
                let x = PageFlow.left + Double(column) * (width + ReportSettings.photoGap)
                try draw(photo, x: x, width: width, on: &flow)
            }
            flow.skip(height + 6)
        }
    }

    func usable(_ warnings: inout [String]) throws -> [Photo] {
        var photos: [Photo] = []
        for photo in journey.photos {
            try check()
            let (name, title, place) = words(photo)
            guard let data = try photo.read() else {
                warnings.append("\(name) is missing")
                continue
            }
            do {
                let jpeg = try Photos.uprightJPEG(
                    data, longestSide: ReportSettings.photoSide, quality: ReportSettings.photoQuality)
                let info = try Photos.info(jpeg)
                photos.append(
                    Photo(
                        bytes: [UInt8](jpeg), width: Double(info.width), height: Double(info.height),
                        title: title, place: place))
            } catch {
                warnings.append("\(name) was omitted: \(error)")
            }
        }
        return photos
    }

    /// The name of a photo in messages, its caption, and its waypoint.
    private func words(_ photo: JourneyPhoto) -> (name: String, title: String, place: MapPlace?) {
        guard case .waypoint(let index) = photo.subject, journey.places.indices.contains(index) else {
            let name = [photo.fileName ?? "", photo.caption].first { !$0.isEmpty } ?? "without a name"
            return ("the photo \(name)", photo.caption, nil)
        }
        let place = journey.places[index]
        let caption = photo.caption.isEmpty ? place.name : photo.caption
        let title = ["\(index + 1)", caption].filter { !$0.isEmpty }.joined(separator: "  ")
        return ("the photo of \(place.name.isEmpty ? "waypoint \(index + 1)" : place.name)", title, place)
    }

    private func draw(_ photo: Photo, x: Double, width: Double, on flow: inout PageFlow) throws {
        let box = SceneRect(x: x, y: flow.y, width: width, height: ReportSettings.photoHeight)
        flow.draw(.polygon([box.corners], fill: Fill(PageFlow.panel), stroke: nil))
        let scale = min(box.width / photo.width, box.height / photo.height)
        let (wide, high) = (photo.width * scale, photo.height * scale)
        let frame = SceneRect(
            x: box.center.x - wide / 2, y: box.center.y - high / 2, width: wide, height: high)
        flow.draw(.image(bytes: photo.bytes, frame))
        var y = box.maxY + 12
        let time = photo.place?.point.time.map { wording.time($0, from: journey.start) } ?? ""
        flow.write(
            try Fitting.cut(photo.title, size: 9, weight: .bold, width: width - Self.timeWidth), x: x, at: y,
            size: 9,
            weight: .bold)
        flow.write(time, x: x + width, at: y, size: 8, color: PageFlow.faint, anchor: .end)
        let lines = try Fitting.lines(
            photo.place?.point.description ?? "", size: 8, width: width, most: ReportSettings.captionLines)
        for line in lines {
            y += 11
            flow.write(line, x: x, at: y, size: 8, color: PageFlow.faint)
        }
    }
}
