"""epsilon_many as a Spark UDF, on a local cluster of two workers."""
import os
import shutil
import sys

import pld
import pytest

sql = pytest.importorskip("pyspark.sql")
pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")

if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (sql.SparkSession.builder.master("local[2]").appName("pld").config("spark.ui.enabled", "false")
               .config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", "2")
               .config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", "")).getOrCreate())
    yield session
    session.stop()


def test_pandas_udf(spark):
    @sql.functions.pandas_udf("double")
    def epsilon(sigma: pd.Series, rate: pd.Series, steps: pd.Series) -> pd.Series:
        columns = {"type": "gaussian", "sigma": sigma, "poisson": rate, "count": steps}
        return pd.Series(pld.epsilon_many(columns, 1e-6, threads=1).upper)

    rows = [(0.8, 0.005, 1000 + k) for k in range(20)]
    frame = spark.createDataFrame(rows, ["sigma", "rate", "steps"]).repartition(2)
    assert frame.rdd.getNumPartitions() == 2
    found = {row.steps: row.epsilon for row in frame.withColumn("epsilon", epsilon("sigma", "rate", "steps")).collect()}
    assert found == {k: (k * pld.gaussian(sigma=s, poisson=q)).epsilon(1e-6).upper for s, q, k in rows}


def test_arrow_batches(spark):
    def with_epsilon(batches):
        import pyarrow as pa
        for batch in batches:
            found = pld.epsilon_many(batch, 1e-6, threads=1)
            yield pa.RecordBatch.from_arrays([batch.column("count"), pa.array(found.lower), pa.array(found.upper)],
                                             ["count", "lower", "upper"])

    rows = [("gaussian", 0.8, 0.005, 1000 + k) for k in range(8)]
    frame = spark.createDataFrame(rows, "type string, sigma double, poisson double, count bigint").repartition(2)
    found = frame.mapInArrow(with_epsilon, "count bigint, lower double, upper double").collect()
    alone = {k: (k * pld.gaussian(sigma=s, poisson=q)).epsilon(1e-6) for _, s, q, k in rows}
    assert {row["count"]: (row.lower, row.upper) for row in found} == {k: (a.lower, a.upper) for k, a in alone.items()}
