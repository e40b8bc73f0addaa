//! Column chunks made in memory, so that several threads can make them for one file.
//!
//! A chunk is one dictionary page where there is a dictionary, and one data page (version 2).
//! Source: `parquet.thrift` of the Parquet format; the `parquet` crate writes headers and metadata.

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

/// How hard zstd tries: the quickest of its normal levels.
const LEVEL: i32 = 1;

/// A column of a row group, ready for the file.
pub(super) struct Chunk {
    pub(super) bytes: Bytes,
    pub(super) close: ColumnCloseResult,
}

/// What a chunk holds.
pub(super) struct Content<'a> {
    pub(super) column: ColumnDescPtr,
    pub(super) encoding: Encoding,
    /// The texts of a dictionary, plain, and their number.
    pub(super) dictionary: Option<(&'a [u8], usize)>,
    /// Definition levels; empty where every row must have a value.
    pub(super) levels: &'a [u8],
    /// The values that are there, encoded.
    pub(super) values: &'a [u8],
    pub(super) rows: usize,
    pub(super) nulls: usize,
    pub(super) statistics: Statistics,
}

/// Makes chunks, one after the other.
pub(super) struct ChunkMaker {
    zstd: Compressor<'static>,
    packed: Vec<u8>,
}

impl ChunkMaker {
    pub(super) fn new() -> Result<ChunkMaker, ParquetError> {
        Ok(ChunkMaker { zstd: Compressor::new(LEVEL)?, packed: Vec::new() })
    }

    pub(super) fn make(&mut self, content: Content<'_>) -> Result<Chunk, ParquetError> {
        let mut sink = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut sink);
        let mut plain_bytes = 0;
        let mut data_offset = 0;
        let mut encodings = vec![content.encoding, Encoding::RLE];
        if let Some((texts, count)) = content.dictionary {
            encodings.push(Encoding::PLAIN);
            let page = Page::DictionaryPage {
                buf: self.compress(&[], texts)?,
                num_values: count as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            let spec = pages.write_page(CompressedPage::new(page, texts.len()))?;
            plain_bytes += spec.uncompressed_size;
            data_offset = spec.bytes_written;
        }
        let page = Page::DataPageV2 {
            buf: self.compress(content.levels, content.values)?,
            num_values: content.rows as u32,
            encoding: content.encoding,
            num_nulls: content.nulls as u32,
            num_rows: content.rows as u32,
            def_levels_byte_len: content.levels.len() as u32,
            rep_levels_byte_len: 0,
            is_compressed: true,
            statistics: None,
        };
        let plain = content.levels.len() + content.values.len();
        let spec = pages.write_page(CompressedPage::new(page, plain))?;
        plain_bytes += spec.uncompressed_size;
        pages.close()?;
        let bytes = Bytes::from(sink.into_inner()?);
        let metadata = ColumnChunkMetaData::builder(content.column)
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
            .set_encodings(encodings)
            .set_total_compressed_size(bytes.len().cast_signed() as i64)
            .set_total_uncompressed_size(plain_bytes.cast_signed() as i64)
            .set_num_values(content.rows.cast_signed() as i64)
            .set_data_page_offset(data_offset.cast_signed())
            .set_dictionary_page_offset(content.dictionary.map(|_| 0))
            .set_statistics(content.statistics)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: content.rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok(Chunk { bytes, close })
    }

    /// `head` as it is, then `body` compressed.
    fn compress(&mut self, head: &[u8], body: &[u8]) -> Result<Bytes, ParquetError> {
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(body.len()));
        self.zstd.compress_to_buffer(body, &mut self.packed)?;
        let mut page = Vec::with_capacity(head.len() + self.packed.len());
        page.extend_from_slice(head);
        page.extend_from_slice(&self.packed);
        Ok(Bytes::from(page))
    }
}

/// Writes texts as a dictionary page has them; gives the least and the greatest.
pub(super) fn plain_texts(texts: &[&str], out: &mut Vec<u8>, nulls: usize) -> Statistics {
    out.clear();
    for text in texts {
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    }
    let bound = |text: Option<&&str>| text.map(|text| ByteArray::from(*text));
    let (least, most) = (bound(texts.iter().min()), bound(texts.iter().max()));
    Statistics::byte_array(least, most, None, Some(nulls as u64), false)
}
