/* Reads PBF files block by block. A part of reader.cpp, whose helpers it uses. */
#ifndef COSMIUM_BLOCKS_HPP
#define COSMIUM_BLOCKS_HPP

#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/detail/pbf_decoder.hpp>
#include <osmium/io/detail/read_write.hpp>
#include <osmium/util/file.hpp>

#include <unistd.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace {

namespace pbf = osmium::io::detail;

constexpr auto bytes = protozero::pbf_wire_type::length_delimited;
constexpr auto number = protozero::pbf_wire_type::varint;

/// A field with its required type: fields of another type are skipped.
template <typename Tag>
constexpr uint32_t field(Tag tag, protozero::pbf_wire_type type) {
    return protozero::tag_and_type(static_cast<protozero::pbf_tag_type>(tag), type);
}

/// The kinds of objects in the blocks of a file, as far as known: blocks without requested objects are not unpacked.
class BlockKinds {
    std::mutex mutex;
    std::vector<uint8_t> kinds;

public:
    /// The value of a block that was not decoded yet.
    static constexpr uint8_t unknown = 0xFF;

    uint8_t of(size_t block) {
        const std::lock_guard<std::mutex> lock{mutex};
        return block < kinds.size() ? kinds[block] : unknown;
    }

    void set(size_t block, uint8_t found) {
        const std::lock_guard<std::mutex> lock{mutex};
        if (block >= kinds.size()) kinds.resize(block + 1, unknown);
        kinds[block] = found;
    }
};

/// Unpacked blocks, up to a number of bytes, so that the next passes do not unpack them again.
class BlockCache {
    using Block = std::shared_ptr<const std::string>;
    std::mutex mutex;
    std::vector<Block> blocks;
    size_t room = 0;

public:
    /// Removes all blocks, and sets the maximum bytes of further ones.
    void set_room(size_t bytes) {
        const std::lock_guard<std::mutex> lock{mutex};
        blocks = {};
        room = bytes;
    }

    Block of(size_t block) {
        const std::lock_guard<std::mutex> lock{mutex};
        return block < blocks.size() ? blocks[block] : nullptr;
    }

    /// Stores a block if it fits.
    void keep(size_t number, Block block) {
        const std::lock_guard<std::mutex> lock{mutex};
        if (block->size() > room) return;
        if (number >= blocks.size()) blocks.resize(number + 1);
        if (blocks[number]) return;
        room -= block->size();
        blocks[number] = std::move(block);
    }
};

/// A file descriptor, closed by the destructor.
class Descriptor {
public:
    const int number;

    explicit Descriptor(const char *path) : number(pbf::open_for_reading(path)) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() { ::close(number); }
};

/// The blobs of a file in sequence. Error messages are those of libosmium.
class Blobs {
    Descriptor file;

    /// Fills a string from the file; `false` if the file ends first.
    bool fill(std::string &bytes, size_t size) {
        bytes.resize(size);
        for (size_t done = 0; done < size;) {
            const auto count = pbf::reliable_read(file.number, &bytes[done], static_cast<unsigned int>(size - done));
            if (count == 0) return false;
            done += static_cast<size_t>(count);
        }
        offset += size;
        return true;
    }

    std::string head;

public:
    const uint64_t size;
    /// The offset of the next byte to read.
    uint64_t offset = 0;

    explicit Blobs(const char *path) : file(path), size(osmium::file_size(file.number)) {}

    /// The size of the next blob, which must have a type; 0 at the end of the file.
    size_t next(const char *wanted) {
        if (offset >= size) return 0;
        if (!fill(head, 4)) throw osmium::pbf_error{"unexpected EOF"};
        uint32_t length = 0;
        for (const char byte : head) length = length << 8U | static_cast<unsigned char>(byte);
        if (length > static_cast<uint32_t>(pbf::max_blob_header_size)) {
            throw osmium::pbf_error{"invalid BlobHeader size (> max_blob_header_size)"};
        }
        if (length == 0) throw osmium::pbf_error{"invalid BlobHeader size (zero)"};
        if (!fill(head, length)) throw osmium::pbf_error{"unexpected EOF"};
        protozero::pbf_message<pbf::FileFormat::BlobHeader> fields{head};
        protozero::data_view type;
        int32_t count = 0;
        while (fields.next()) {
            switch (fields.tag_and_type()) {
            case field(pbf::FileFormat::BlobHeader::required_string_type, bytes): type = fields.get_view(); break;
            case field(pbf::FileFormat::BlobHeader::required_int32_datasize, number): count = fields.get_int32(); break;
            default: fields.skip();
            }
        }
        if (count == 0) throw osmium::pbf_error{"PBF format error: BlobHeader.datasize missing or zero."};
        if (std::strncmp(wanted, type.data(), type.size()) != 0) {
            throw osmium::pbf_error{
                "blob does not have expected type (OSMHeader in first blob, OSMData in following blobs)"};
        }
        if (count < 0 || static_cast<size_t>(count) > pbf::max_uncompressed_blob_size) {
            throw osmium::pbf_error{std::string{"invalid blob size: "} + std::to_string(static_cast<size_t>(count))};
        }
        return static_cast<size_t>(count);
    }

    void read(std::string &bytes, size_t count) {
        if (!fill(bytes, count)) throw osmium::pbf_error{"unexpected EOF"};
    }

    /// Skips a blob.
    void skip(size_t count) {
        if (count > size - std::min(size, offset)) throw osmium::pbf_error{"unexpected EOF"};
        offset += count;
        if (::lseek(file.number, static_cast<off_t>(offset), SEEK_SET) < 0) {
            throw std::system_error{errno, std::system_category(), "Seek failed"};
        }
    }
};

/// A block of nodes in the dense encoding, as nearly all nodes are stored.
class DenseBlock {
    using text = std::pair<const char *, osmium::string_size_type>;

    std::vector<protozero::data_view> groups;
    std::vector<text> texts;
    protozero::data_view stored_texts;
    int64_t granularity = 100, latitude_offset = 0, longitude_offset = 0;
    osmium::memory::Buffer buffer{1 << 12, osmium::memory::Buffer::auto_grow::yes};

    void read_texts() {
        protozero::pbf_message<pbf::OSMFormat::StringTable> table{stored_texts};
        texts.clear();
        while (table.next(
            pbf::OSMFormat::StringTable::repeated_bytes_s, protozero::pbf_wire_type::length_delimited)) {
            const auto view = table.get_view();
            if (view.size() > osmium::max_osm_string_length) throw osmium::pbf_error{"overlong string in string table"};
            texts.emplace_back(view.data(), static_cast<osmium::string_size_type>(view.size()));
        }
    }

    const text &text_at(int32_t index) const {
        if (index < 0 || static_cast<size_t>(index) >= texts.size()) throw osmium::pbf_error{"string id out of range"};
        return texts[static_cast<size_t>(index)];
    }

    int32_t degrees(int64_t value, int64_t offset) const {
        // Convert 1e-9 degrees to 1e-7.
        return static_cast<int32_t>((value * granularity + offset) / pbf::resolution_convert);
    }

    /// Adds the tags of a node; the tags of each node end with 0.
    template <typename Take>
    void give_tagged(int64_t id, osmium::Location location, pbf::varint_range &tags, int32_t key, Take &&take) {
        buffer.clear();
        {
            osmium::builder::NodeBuilder node{buffer};
            node.set_id(id);
            node.set_location(location);
            osmium::builder::TagListBuilder list{node};
            while (key != 0) {
                const auto &name = text_at(key);
                if (tags.empty()) throw osmium::pbf_error{"PBF format error"};
                const auto &value = text_at(tags.next_int32());
                list.add_tag(name.first, name.second, value.first, value.second);
                if (tags.empty()) break;
                key = tags.next_int32();
            }
        }
        buffer.commit();
        osmium::memory::Item &item = buffer.get<osmium::Node>(0);
        take(item);
    }

    template <typename Take, typename Plain>
    void give(const protozero::data_view &group, Take &&take, Plain &&plain) {
        pbf::varint_range ids, latitudes, longitudes, tags;
        protozero::pbf_message<pbf::OSMFormat::DenseNodes> fields{group};
        while (fields.next()) {
            using Nodes = pbf::OSMFormat::DenseNodes;
            switch (fields.tag_and_type()) {
            case field(Nodes::packed_sint64_id, bytes): ids = pbf::varint_range{fields.get_view()}; break;
            case field(Nodes::packed_sint64_lat, bytes): latitudes = pbf::varint_range{fields.get_view()}; break;
            case field(Nodes::packed_sint64_lon, bytes): longitudes = pbf::varint_range{fields.get_view()}; break;
            case field(Nodes::packed_int32_keys_vals, bytes): tags = pbf::varint_range{fields.get_view()}; break;
            default: fields.skip();
            }
        }
        osmium::DeltaDecode<int64_t> id, latitude, longitude;
        while (!ids.empty()) {
            if (latitudes.empty() || longitudes.empty()) throw osmium::pbf_error{"PBF format error"};
            const int64_t number = id.update(ids.next_sint64());
            const int32_t x = degrees(longitude.update(longitudes.next_sint64()), longitude_offset);
            const int32_t y = degrees(latitude.update(latitudes.next_sint64()), latitude_offset);
            const int32_t key = tags.empty() ? 0 : tags.next_int32();
            if (key == 0) {
                plain(number, osmium::Location{x, y});
            } else {
                if (texts.empty()) read_texts();
                give_tagged(number, osmium::Location{x, y}, tags, key, take);
            }
        }
    }

public:
    /// The kinds of objects in the block, and whether it contains only dense nodes.
    struct Look {
        uint8_t kinds = 0;
        bool is_dense = true;
    };

    Look look(const protozero::data_view &data) {
        using Block = pbf::OSMFormat::PrimitiveBlock;
        using Group = pbf::OSMFormat::PrimitiveGroup;
        groups.clear();
        texts.clear();
        stored_texts = {};
        granularity = 100;
        latitude_offset = longitude_offset = 0;
        Look look;
        protozero::pbf_message<Block> block{data};
        while (block.next()) {
            switch (block.tag_and_type()) {
            case field(Block::required_StringTable_stringtable, bytes): stored_texts = block.get_view(); continue;
            case field(Block::optional_int32_granularity, number): granularity = block.get_int32(); continue;
            case field(Block::optional_int64_lat_offset, number): latitude_offset = block.get_int64(); continue;
            case field(Block::optional_int64_lon_offset, number): longitude_offset = block.get_int64(); continue;
            case field(Block::repeated_PrimitiveGroup_primitivegroup, bytes): break;
            default: block.skip(); continue;
            }
            protozero::pbf_message<Group> group = block.get_message();
            while (group.next()) {
                switch (group.tag_and_type()) {
                case field(Group::optional_DenseNodes_dense, bytes):
                    look.kinds |= osmium::osm_entity_bits::node;
                    groups.push_back(group.get_view());
                    continue;
                case field(Group::repeated_Node_nodes, bytes): look.kinds |= osmium::osm_entity_bits::node; break;
                case field(Group::repeated_Way_ways, bytes): look.kinds |= osmium::osm_entity_bits::way; break;
                case field(Group::repeated_Relation_relations, bytes): look.kinds |= osmium::osm_entity_bits::relation; break;
                default: break;
                }
                look.is_dense = false;
                group.skip();
            }
        }
        return look;
    }

    /// Checks the strings of the last block: libosmium ends a tag's key and value at a zero byte, so a zero byte inside a
    /// string would result in an endless list of tags.
    void check_texts() const {
        protozero::pbf_message<pbf::OSMFormat::StringTable> table{stored_texts};
        while (table.next(
            pbf::OSMFormat::StringTable::repeated_bytes_s, protozero::pbf_wire_type::length_delimited)) {
            const auto text = table.get_view();
            if (!text.empty() && std::memchr(text.data(), 0, text.size())) {
                throw osmium::pbf_error{"zero byte in string table"};
            }
        }
    }

    /// Passes on the nodes of the last block.
    template <typename Take, typename Plain>
    void give(Take &&take, Plain &&plain) {
        for (const auto &group : groups) give(group, take, plain);
    }
};

/// Passes on a node without tags, or an object.
template <typename Take, typename Plain>
void give_item(osmium::memory::Item &item, Take &&take, Plain &&plain) {
    if (item.type() == osmium::item_type::node) {
        const auto &node = static_cast<const osmium::Node &>(item);
        if (node.tags().empty()) return plain(node.id(), node.location());
    }
    take(item);
}

constexpr size_t objects_between_looks = 1000;

/// Reads a PBF file on the caller's thread, so that the caller can stop it after any block.
template <typename Take, typename Plain, typename Look>
void read_blocks(
    const char *path, BlockKinds &kinds, BlockCache &kept, osmium::osm_entity_bits::type bits, uint64_t &offset, Look &&look, Take &&take,
    Plain &&plain) {
    Blobs blobs{path};
    std::string packed;
    DenseBlock dense;
    try {
        const size_t head = blobs.next("OSMHeader");
        blobs.read(packed, head);
        pbf::decode_header(packed);
        for (size_t number = 0; const size_t size = blobs.next("OSMData"); ++number) {
            const uint8_t known = kinds.of(number);
            if (known != BlockKinds::unknown && !(known & bits)) {
                blobs.skip(size);
                continue;
            }
            auto block = kept.of(number);
            protozero::data_view data;
            if (block) {
                blobs.skip(size);
                data = {block->data(), block->size()};
            } else {
                blobs.read(packed, size);
                std::string unpacked;
                data = pbf::decode_blob(packed, unpacked);
                // An uncompressed blob is used where it was read.
                if (!unpacked.empty()) {
                    block = std::make_shared<const std::string>(std::move(unpacked));
                    data = {block->data(), block->size()};
                    kept.keep(number, block);
                }
            }
            const auto found = dense.look(data);
            kinds.set(number, found.kinds);
            if (found.kinds & bits) {
                dense.check_texts();
                // A block has thousands of objects, and some of them take long.
                size_t taken = 0;
                const auto take_one = [&](auto &item) {
                    if (++taken % objects_between_looks == 0) look(offset, blobs.size);
                    take(item);
                };
                if (found.is_dense) {
                    dense.give(take_one, plain);
                } else {
                    pbf::PBFPrimitiveBlockDecoder decoder{data, bits, osmium::io::read_meta::no};
                    for (auto all = decoder(); all;) {
                        auto buffer = all.has_nested_buffers() ? std::move(*all.get_last_nested()) : std::move(all);
                        for (auto &item : buffer) give_item(item, take_one, plain);
                    }
                }
            }
            offset = blobs.offset;
            look(offset, blobs.size);
        }
        offset = blobs.offset;
    } catch (...) {
        offset = blobs.offset;
        throw;
    }
}

}  // namespace

#endif
